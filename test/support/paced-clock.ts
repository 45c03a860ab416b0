import { readFileSync } from 'node:fs';

/**
 * Loaded into a service before anything else (`node --import`): its time of day and its steady clock run until the
 * instant in CLOCK_LIMIT_FILE (milliseconds since 1970) and stand still there, so that a busy machine skips no hour of
 * a fast clock. The file is read at each SIGUSR2; until the first, and without one, time stands where it began: at
 * CLOCK_BEGINS_AT, or at the present. Timers go on.
 */
const RealDate = Date;
const realSteadyMs = performance.now.bind(performance);
const beganAt = Number(process.env['CLOCK_BEGINS_AT'] ?? RealDate.now());
const began = realSteadyMs();
const limitFile = process.env['CLOCK_LIMIT_FILE'];
let stoodMs = 0;
let limitMs = limitFile === undefined ? Number.POSITIVE_INFINITY : 0;

/** Milliseconds that have passed for the service. */
function passedMs(): number {
  const passed = realSteadyMs() - began - stoodMs;
  const stood = Math.max(0, passed - limitMs);
  stoodMs += stood;
  return passed - stood;
}

const now = (): number => Math.floor(beganAt + passedMs());

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
performance.now = () => began + passedMs();

process.on('SIGUSR2', () => {
  // What it stood until now is over before it may run on.
  passedMs();
  limitMs = Number(readFileSync(limitFile ?? '', 'utf8')) - beganAt;
});

import { readFileSync } from 'node:fs';

/**
 * Preloaded into a service (`node --import`): its time of day is off by CLOCK_OFFSET_MS from the start, and by CLOCK_OFFSET_FILE
 * from each SIGUSR2 on, in milliseconds. Timers and the steady clock go on, as on a real machine.
 */
const RealDate = Date;
let offsetMs = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now() + offsetMs] : given, newTarget),
  get: (target, name) => (name === 'now' ? () => RealDate.now() + offsetMs : Reflect.get(target, name)),
});

process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(process.env['CLOCK_OFFSET_FILE'] ?? '', 'utf8'));
});

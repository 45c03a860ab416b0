import type { Client } from '../../client.ts';
import { HourcastError } from '../../errors.ts';
import type { Health, Market } from '../../reference.ts';
import { signed } from '../figures.ts';
import type { Check } from './check.ts';

/** Larger differences matter to forecasters. */
const OFFSET_SECONDS = 2;

interface Reached {
  readonly check: Check;
  /** Null if the service is unreachable: nothing else can be checked. */
  readonly health: Health | null;
  /** The machine's time in the middle of request and answer. */
  readonly localMs: number;
}

export async function checkReach(client: Client, signal: AbortSignal): Promise<Reached> {
  const sent = Date.now();
  const began = performance.now();
  try {
    const health = await client.health({ signal });
    const tookMs = performance.now() - began;
    const detail = `${client.url} answers in ${Math.ceil(tookMs)} ms`;
    return { health, localMs: sent + tookMs / 2, check: { name: 'reach', state: 'ok', detail } };
  } catch (error) {
    if (!(error instanceof HourcastError)) throw error;
    return { health: null, localMs: sent, check: { name: 'reach', state: 'failed', detail: error.message } };
  }
}

/** Names are stable within a major version, and before 1.0 within a minor one. */
export function checkVersion({ version }: Health, own: string): Check {
  const isSame = lineOf(version) === lineOf(own);
  const detail = isSame
    ? `service ${version}, client ${own}`
    : `service ${version}, client ${own}: install the client of the service's version`;
  return { name: 'version', state: isSame ? 'ok' : 'warning', detail };
}

/** Versions of one line are compatible. */
function lineOf(version: string): string {
  return version
    .split('.')
    .slice(0, version.startsWith('0.') ? 2 : 1)
    .join('.');
}

/** `localMs` is the machine's time when the service wrote the answer. */
export function checkClock({ clock }: Health, localMs: number): Check {
  const { speed } = clock;
  if (speed !== 1) {
    return { name: 'clock', state: 'warning', detail: `runs ${speed} times as fast as real time: ${clock.now}` };
  }
  const offset = (Date.parse(clock.now) - localMs) / 1000;
  const detail = `${signed(offset, 1)} s beside this machine's`;
  if (Math.abs(offset) <= OFFSET_SECONDS) return { name: 'clock', state: 'ok', detail };
  return { name: 'clock', state: 'warning', detail: `${detail}: use the service's clock, or set the machine's` };
}

export function checkMarket({ market_source: source, sources }: Health, { stale, timestamp, warning }: Market): Check {
  const states = sources.map((one) => `${one.source} ${one.state}`).join(', ');
  const line = `prices: ${source}${states === '' ? '' : ` (${states})`}, of ${timestamp}`;
  if (stale) return { name: 'market', state: 'warning', detail: `${line}: they are stale` };
  return warning === null
    ? { name: 'market', state: 'ok', detail: line }
    : { name: 'market', state: 'warning', detail: `${line}: ${warning}` };
}

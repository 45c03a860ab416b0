import { setTimeout as after } from 'node:timers/promises';

import { SECOND } from '../rules/hours.ts';
import { CannotVerify } from './settings.ts';

/** An answer, or how long the service asks to wait for one. */
export type Asked<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'wait'; readonly seconds: number; readonly isLimit: boolean };

export interface RetryOptions {
  readonly say: (line: string) => void;
  /** Waits so many seconds; by the machine's clock unless given. */
  readonly wait?: ((seconds: number) => Promise<unknown>) | undefined;
}

/** Asks again and again, until there is an answer. */
export type Retry = <T>(what: string, ask: () => Promise<Asked<T>>) => Promise<T>;

/** So often a service that is out of order is asked again; one that limits requests, as often as it takes. */
const MAX_FAULTS = 5;

/** Waits so many seconds, as the options say. */
export function pausing({ wait = (seconds) => after(seconds * SECOND) }: RetryOptions) {
  return wait;
}

/** Waits as a service asks for it, and says so. Throws `CannotVerify` for one that stays out of order. */
export function retries(options: RetryOptions): Retry {
  const [{ say }, wait] = [options, pausing(options)];
  return async (what, ask) => {
    for (let faults = 0; ;) {
      const asked = await ask();
      if (asked.kind === 'answer') return asked.value;
      faults += asked.isLimit ? 0 : 1;
      if (faults > MAX_FAULTS) throw new CannotVerify(`${what} is not available: asked ${faults} times.`);
      const why = asked.isLimit ? 'limits how often it is asked' : 'is not ready';
      say(`The service ${why}: waiting ${asked.seconds} s.`);
      await wait(asked.seconds);
    }
  };
}

import { CannotVerify } from '../settings.ts';

export type RequestResult<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'wait'; readonly seconds: number; readonly isLimit: boolean };

/** Retries of an unavailable service; rate limits are retried without end. */
const MAX_FAULTS = 5;

/** Retries after the delay that the service requests. Throws `CannotVerify` if it stays unavailable. */
export function retries(print: (line: string) => void, wait: (seconds: number) => Promise<unknown>) {
  return async <T>(what: string, ask: () => Promise<RequestResult<T>>): Promise<T> => {
    for (let faults = 0; ;) {
      const result = await ask();
      if (result.kind === 'answer') return result.value;
      faults += result.isLimit ? 0 : 1;
      if (faults > MAX_FAULTS) throw new CannotVerify(`${what} is not available after ${faults} requests.`);
      const why = result.isLimit ? 'limits the rate of requests' : 'is not ready';
      print(`The service ${why}: waiting ${result.seconds} s.`);
      await wait(result.seconds);
    }
  };
}

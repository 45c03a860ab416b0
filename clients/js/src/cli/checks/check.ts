import { HourcastError } from '../../errors.ts';

export interface Check {
  readonly name: string;
  /** `warning`: it works, with a caveat. */
  readonly state: 'ok' | 'warning' | 'failed';
  /** The finding, and its remedy. */
  readonly detail: string;
}

/** A check that throws has failed. */
export async function checked(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof HourcastError)) throw error;
    return { name, state: 'failed', detail: error.message };
  }
}

import { HourcastError } from '../../errors.ts';

/** What a check found. */
export interface Check {
  readonly name: string;
  /** `warning`: it works, and is worth knowing. */
  readonly state: 'ok' | 'warning' | 'failed';
  /** What is the case, and what to do about it. */
  readonly detail: string;
}

/** A check that cannot be made has failed. */
export async function checked(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof HourcastError)) throw error;
    return { name, state: 'failed', detail: error.message };
  }
}

/** What a check found. */
export interface Check {
  readonly name: string;
  /** `warning`: it works, and is worth knowing. */
  readonly state: 'ok' | 'warning' | 'failed';
  /** What is the case, and what to do about it. */
  readonly detail: string;
}

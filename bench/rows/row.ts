import type { Plan } from '../compare.ts';
import type { History } from '../history-shapes.ts';

/** What every row of the table is given. */
export interface RowOptions extends Plan {
  /** The folder of the service that is measured. */
  readonly service: string;
  /** What has happened in it before. */
  readonly history: History;
  /** Where CPU profiles of the service go; unset: none are taken. */
  readonly profile?: string | undefined;
  /** Takes what ends all that a row has begun, where the bench is stopped in the midst of it. */
  readonly onStop: (end: () => Promise<void>) => void;
}

/** Measures one row and gives what it came to, as Markdown. */
export type Row = (options: RowOptions) => Promise<string>;

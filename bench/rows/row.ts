import type { Plan } from '../compare.ts';
import type { History } from '../history-shapes.ts';

export interface RowOptions extends Plan {
  /** The measured service's folder. */
  readonly service: string;
  readonly history: History;
  /** A rough run in minutes: less of everything. */
  readonly isQuick: boolean;
  /** The folder of the service's CPU profiles; unset: none. */
  readonly profile?: string | undefined;
  /** Registers a cleanup, which also runs if the bench is stopped early. */
  readonly onStop: (end: () => Promise<void>) => void;
}

/** Returns the result as Markdown. */
export type Row = (options: RowOptions) => Promise<string>;

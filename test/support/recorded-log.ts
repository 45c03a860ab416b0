import type { RoundLog } from '../../src/jobs/resolve/resolve-round.ts';

export interface Line {
  readonly level: 'info' | 'warn' | 'debug';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RecordedLog extends RoundLog {
  readonly lines: Line[];
}

export function recordedLog(): RecordedLog {
  const lines: Line[] = [];
  const at = (level: Line['level']) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: { ...fields } });
  return { lines, info: at('info'), warn: at('warn'), debug: at('debug') };
}

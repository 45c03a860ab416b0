/** The system's code of an error, such as `ENOENT`; undefined when it has none. */
export const codeOf = (error: unknown): string | undefined => textOf(error, 'code');

/** Why a program or a query failed, in its own words when it wrote any; one line. */
export function reason(error: unknown): string {
  const words = textOf(error, 'stderr')?.trim() || textOf(error, 'message')?.trim() || String(error);
  return words.replaceAll(/\s*\n\s*/g, ' / ');
}

function textOf(error: unknown, name: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

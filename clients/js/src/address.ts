/** Parameters by the reference's names. */
export type Values = Readonly<Record<string, unknown>>;

/** The path with its parameters, and the remaining parameters. */
export function addressOf(path: string, parameters: object): { readonly path: string; readonly rest: Values } {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const inPath = (name: string): boolean => path.includes(`{${name}}`);
  const values = new Map(given);
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(values.get(name)))),
    rest: Object.fromEntries(given.filter(([name]) => !inPath(name))),
  };
}

/** With its question mark. */
export function queryOf(values: Values): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** One component of an iCalendar object: its properties, by name and parameters, and the components inside. */
export interface Component {
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly inside: readonly Component[];
}

/** An iCalendar object as RFC 5545 reads it. Throws for whatever it does not allow there. */
export function parseCalendar(text: string): Component {
  if (!text.endsWith('\r\n')) throw new Error('The last line does not end with CRLF');
  const lines = text.slice(0, -2).split('\r\n');
  for (const line of lines) {
    if (/[\r\n]/.test(line)) throw new Error(`A bare CR or LF: ${line}`);
    if (Buffer.byteLength(line) > 75) throw new Error(`More than 75 octets: ${line}`);
  }
  const unfolded = text.replaceAll('\r\n ', '').slice(0, -2).split('\r\n');
  const [component, rest] = parseComponent(unfolded);
  if (rest.length > 0) throw new Error(`Behind the calendar: ${rest.join('|')}`);
  return component;
}

function parseComponent([begin = '', ...lines]: readonly string[]): [Component, readonly string[]] {
  const [, name] = /^BEGIN:([A-Z]+)$/.exec(begin) ?? [];
  if (name === undefined) throw new Error(`No component begins with ${begin}`);
  const properties = new Map<string, string>();
  const inside: Component[] = [];
  let rest: readonly string[] = lines;
  for (;;) {
    const [line, ...others] = rest;
    if (line === undefined) throw new Error(`${name} does not end`);
    if (line === `END:${name}`) return [{ name, properties, inside }, others];
    if (line.startsWith('BEGIN:')) {
      const [component, behind] = parseComponent(rest);
      inside.push(component);
      rest = behind;
      continue;
    }
    const [, property, value] = /^([A-Z-]+(?:;[A-Z-]+=[^":;,]+)*):(.*)$/.exec(line) ?? [];
    if (property === undefined || value === undefined) throw new Error(`No property: ${line}`);
    if (properties.has(property)) throw new Error(`${property} comes twice`);
    properties.set(property, value);
    rest = others;
  }
}

/** What a TEXT stands for; throws for what it must escape and has not. */
export function textOf(value: string | undefined): string {
  if (value === undefined) throw new Error('The property is missing');
  if (!/^(?:[^\\;,]|\\[\\;,nN])*$/.test(value)) throw new Error(`Not escaped: ${value}`);
  return value.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign));
}

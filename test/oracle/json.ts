export type Json = null | boolean | number | string | Json[] | Body;
export interface Body {
  [key: string]: Json;
}

export function asBody(value: Json | undefined, what: string): Body {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw wrong(what, 'an object', value);
  return value;
}

export function bodyOf(body: Body, key: string): Body {
  return asBody(body[key], key);
}

export function listOf(body: Body, key: string): Body[] {
  const value = body[key];
  if (!Array.isArray(value)) throw wrong(key, 'an array', value);
  return value.map((item) => asBody(item, `an item of ${key}`));
}

export function textsOf(body: Body, key: string): string[] {
  const value = body[key];
  if (!Array.isArray(value)) throw wrong(key, 'an array', value);
  return value.map((item) => {
    if (typeof item !== 'string') throw wrong(`an item of ${key}`, 'a string', item);
    return item;
  });
}

export function textOf(body: Body, key: string): string {
  const value = body[key];
  if (typeof value !== 'string') throw wrong(key, 'a string', value);
  return value;
}

export function numberOf(body: Body, key: string): number {
  const value = body[key];
  if (typeof value !== 'number') throw wrong(key, 'a number', value);
  return value;
}

/** The item at an index that the caller knows to exist; a negative one counts from the end. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items.at(index);
  if (item === undefined) throw new Error(`no item ${index} among ${items.length}`);
  return item;
}

export function found<T>(item: T | undefined, what: string): T {
  if (item === undefined) throw new Error(`${what} is not there`);
  return item;
}

function wrong(what: string, wanted: string, value: Json | undefined): Error {
  return new Error(`${what} is not ${wanted}: ${JSON.stringify(value)}`);
}

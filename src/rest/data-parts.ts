import type { Data } from './endpoint.ts';

/** The fields of an object of a document's data. Throws for what is none. */
export function fieldsOf(value: unknown): Data {
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new TypeError('An endpoint asks for fields of something that its document does not hold');
}

/** The objects of a list of a document's data. Throws for what is none. */
export function listOf(value: unknown): readonly Data[] {
  if (Array.isArray(value)) return value.map(fieldsOf);
  throw new TypeError('An endpoint asks for items of something that its document does not hold');
}

/** Whether the field `name` of the object `from` is true. */
export function flagOf(data: Data, from: string, name: string): boolean {
  return fieldsOf(data[from])[name] === true;
}

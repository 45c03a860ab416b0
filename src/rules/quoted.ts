const LONGEST = 60;

/** A caller's value as it goes into an error message: as JSON, cut where it is long. */
export function quoted(value: unknown): string {
  // JSON has no text for undefined, functions and symbols; those are named by their type.
  const text: string = JSON.stringify(value) ?? typeof value;
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}

/** Matches keys, also truncated, mistyped or in capitals. */
export const KEYS = /(pk_live_)[0-9a-z]+/gi;

/** Replaces keys in an echoed text; their prefix stays to show what they were. */
export function withoutKeys(text: string): string {
  return text.replaceAll(KEYS, '$1...');
}

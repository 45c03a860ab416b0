import { placeOf } from './names.ts';

/** What both clients call the method of an operation, where what it gets, or does, would not do. */
export const METHOD_NAMES: Readonly<Record<string, string>> = { submitPrediction: 'predict' };

/** Such as `currentRound` of `getCurrentRound`. In camel case; Python writes the same in snake case. */
export function methodName(operationId: string): string {
  return METHOD_NAMES[operationId] ?? placeOf(operationId);
}

/** Such as `rotate_key` of `rotateKey`. */
export function snakeCased(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The list that an export's path in NDJSON is of, which clients read row by row; undefined for any other path. */
export function exportedList(path: string): string | undefined {
  return /^\/api\/export\/(\w+)\.ndjson$/.exec(path)?.[1];
}

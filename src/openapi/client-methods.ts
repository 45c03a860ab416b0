import { placeOf } from './names.ts';

/** Methods of both clients by operation, in camel case; Python writes the same in snake case. Others are called as what they get, or do. */
export const METHOD_NAMES: Readonly<Record<string, string>> = { submitPrediction: 'predict' };

/** Such as `rotateKey` of `/api/me/rotate-key` and `currentRound` of `getCurrentRound`. */
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

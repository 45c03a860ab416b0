import { locationOf } from './names.ts';

export const METHOD_NAMES: Readonly<Record<string, string>> = { submitPrediction: 'predict' };

export function methodName(operationId: string): string {
  return METHOD_NAMES[operationId] ?? locationOf(operationId);
}

export function snakeCased(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function exportedList(path: string): string | undefined {
  return /^\/api\/export\/(\w+)\.ndjson$/.exec(path)?.[1];
}

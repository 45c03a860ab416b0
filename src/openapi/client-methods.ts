import { locationOf } from './names.ts';

export const METHOD_NAMES: Readonly<Record<string, string>> = { submitPrediction: 'predict' };

export function methodName(operationId: string): string {
  return METHOD_NAMES[operationId] ?? locationOf(operationId);
}

export function exportedList(path: string): string | undefined {
  return /^\/api\/export\/(\w+)\.ndjson$/.exec(path)?.[1];
}

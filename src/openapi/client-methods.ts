/**
 * What both clients call the method of an endpoint, where the last fixed part of its path would not do. In camel case;
 * Python writes the same in snake case.
 */
export const METHOD_NAMES: Readonly<Record<string, string>> = {
  'GET /api/rounds/current': 'currentRound',
  'POST /api/predictions': 'predict',
  'GET /api/rounds/recent': 'recentRounds',
  'GET /api/agents/{agent_id}': 'agent',
  'GET /api/rounds/{round_id}': 'round',
  'GET /api/schedule.ics': 'calendar',
  'GET /api/agents': 'agentByName',
  'GET /api/me/predictions': 'myPredictions',
  'GET /api/rounds/{round_id}/forecast': 'roundForecast',
  'GET /api/forecast/record': 'forecastRecord',
};

/** Such as `rotateKey` of `/api/me/rotate-key`. */
export function methodName(method: string, path: string): string {
  const part = path.split('/').findLast((one) => !one.startsWith('{')) ?? '';
  const byPath = part.replaceAll(/[-._](\w)/g, (_whole, letter: string) => letter.toUpperCase());
  return METHOD_NAMES[`${method} ${path}`] ?? byPath;
}

/** Such as `rotate_key` of `rotateKey`. */
export function snakeCased(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The list that an export's path in NDJSON is of, which clients read row by row; undefined for any other path. */
export function exportedList(path: string): string | undefined {
  return /^\/api\/export\/(\w+)\.ndjson$/.exec(path)?.[1];
}

import { ASSETS } from '../src/rules/assets.ts';
import { QUESTION_TYPES } from '../src/rules/questions/question.ts';

// One file for all that knows them.
export { ASSETS, QUESTION_TYPES };

export interface RoundFilters {
  readonly status?: (typeof STATES)[number];
  readonly questionType?: (typeof QUESTION_TYPES)[number];
  readonly asset?: (typeof ASSETS)[number];
}

export const STATES = ['active', 'upcoming', 'resolved', 'void', 'resolving'] as const;

/** Ignores other parameters and misspelt values. */
export function filtersIn(search: string | FormData): RoundFilters {
  const parameters = typeof search === 'string' ? new URLSearchParams(search) : search;
  const status = STATES.find((one) => one === parameters.get('status'));
  const questionType = QUESTION_TYPES.find((one) => one === parameters.get('type'));
  const asset = ASSETS.find((one) => one === parameters.get('asset'));
  return {
    ...(status === undefined ? {} : { status }),
    ...(questionType === undefined ? {} : { questionType }),
    ...(asset === undefined ? {} : { asset }),
  };
}

export function roundsPath({ status, questionType, asset }: RoundFilters): string {
  const search = new URLSearchParams();
  if (status !== undefined) search.set('status', status);
  if (questionType !== undefined) search.set('type', questionType);
  if (asset !== undefined) search.set('asset', asset);
  const text = search.toString();
  return text === '' ? '/rounds' : `/rounds?${text}`;
}

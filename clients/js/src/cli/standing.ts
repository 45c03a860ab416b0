import { ASSETS } from '../../../../src/rules/assets.ts';
import { QUESTION_TYPES } from '../../../../src/rules/questions/question.ts';
import type { NewStandingRow, StandingPredictions } from '../reference.ts';
import { commandOf } from './action.ts';
import { type Context, wholeNumber } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { columns } from './figures.ts';

export const STANDING = commandOf(
  {
    name: 'standing',
    about: 'shows or changes the answers that the service gives where you have given none',
    options: {
      asset: { type: 'string', value: 'ASSET', about: 'only questions about this asset; otherwise about any' },
    },
  },
  {
    list: { usage: '', words: [0, 0], run: async (context) => show(context, await rowsOf(context)) },
    set: {
      usage: 'TYPE ANSWER[,ANSWER...] CONFIDENCE [--asset ASSET]',
      words: [3, 3],
      async run(context) {
        const { question_type, asset } = questionIn(context);
        const [, answers = '', text = ''] = context.words;
        const confidence = wholeNumber('CONFIDENCE', text.replace(/(\.0+)?%?$/, ''), { min: 0, max: 100 });
        const row = { question_type, asset, prediction: answers.toUpperCase().split(','), confidence };
        return replace(context, [...others(context, await rowsOf(context)), row]);
      },
    },
    remove: {
      usage: 'TYPE [--asset ASSET]',
      words: [1, 1],
      async run(context) {
        const present = await rowsOf(context);
        const left = others(context, present);
        const { question_type: type, asset } = questionIn(context);
        const about = asset === null ? '' : ` about ${asset}`;
        if (left.length === present.rows.length)
          throw new Error(`You have no standing prediction for ${type}${about}.`);
        return replace(context, left);
      },
    },
  },
);

function questionIn({ words: [word = ''], given }: Context): Required<Pick<NewStandingRow, 'question_type' | 'asset'>> {
  const type = oneOf('TYPE', QUESTION_TYPES, word.toLowerCase());
  const asset = given.text('asset');
  return { question_type: type, asset: asset === undefined ? null : oneOf('--asset', ASSETS, asset.toUpperCase()) };
}

function oneOf<Name extends string>(what: string, names: readonly Name[], given: string): Name {
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  throw new UsageError(`${what} must be one of ${names.join(', ')} (got ${given}).`);
}

function rowsOf({ connect, signal }: Context): Promise<StandingPredictions> {
  return connect().standing({ signal });
}

function others(context: Context, { rows }: StandingPredictions): readonly NewStandingRow[] {
  const { question_type: type, asset } = questionIn(context);
  const kept = rows.filter((row) => row.question_type !== type || row.asset !== asset);
  return kept.map(({ question_type, asset: about, prediction, confidence }) => ({
    question_type,
    asset: about,
    prediction,
    confidence,
  }));
}

async function replace(context: Context, rows: readonly NewStandingRow[]): Promise<void> {
  const { connect, signal } = context;
  const client = connect();
  return show(
    context,
    await (rows.length === 0 ? client.clearStanding({ signal }) : client.setStanding({ rows }, { signal })),
  );
}

function show({ output }: Context, standing: StandingPredictions): void {
  output.json(standing);
  const { rows, lapses_at: lapses } = standing;
  if (rows.length === 0) output.line('You have no standing predictions.');
  else {
    const cells = rows.map(({ question_type: type, asset, prediction, confidence }) => {
      return [type, asset ?? 'any', [prediction].flat().join(','), String(confidence)];
    });
    for (const line of columns([['type', 'asset', 'answer', 'confidence'], ...cells])) output.line(line);
    output.line(`They lapse at ${lapses}, 7 days after your last request.`);
  }
}

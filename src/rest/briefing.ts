import type { Data, Shape } from './endpoint.ts';
import { at, each, fields, fieldsOf, GONE, keyed, listOf, objectFrom, or, orNull, SAME, withText } from './shape.ts';

/* Context for a language model in at most 2 kB: a long context costs more than another call. */

const CANDLES = 12;
const MISTAKES = 3;

export const BRIEFING = `{
  round: currentRound { id  question  question_type: questionType  choices  ends_at: endTime
    time_remaining_seconds: timeRemainingSeconds  total_entries: totalEntries
    crowd { answers { answer share } }
    price: latestReference { at  known  probabilities { answer probability }
      prices { asset  open: openUsd  high: highUsd  low: lowUsd  price: priceUsd } }
    assets { symbol  candles(hours: ${CANDLES}) { open: openUsd  high: highUsd  low: lowUsd  close: closeUsd } } }
  mistakes: viewer { predictions(first: ${MISTAKES}, isCorrect: false) { nodes {
    round_id: roundId  question_type: questionType  prediction  confidence  outcome  edge } } } }`;

const ROUNDED: Shape = { ...SAME, apply: digits };
/** Values of a map have no description of their own. */
const SHARE: Shape = { apply: digits, describe: ({ type = [] }) => ({ type }) };

const PRICE = fields({
  probabilities: withText(
    'The probability of each answer by the price alone, 0-1.',
    keyed('answer', at('probability', SHARE)),
  ),
  prices: GONE,
});

const HOURS_BY_ASSET: Shape = {
  apply: (assets) => Object.fromEntries(listOf(assets).map(hoursOf)),
  describe: () => ({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
  }),
};

export const briefing = objectFrom({
  round: withText(
    'The running round, or null.',
    at('round', orNull(fields({ crowd: GONE, price: GONE, assets: GONE }))),
  ),
  price: withText('The newest forecast from the price alone; null without a round.', at('round.price', orNull(PRICE))),
  crowd: withText(
    'The share of all predictions for each answer, 0-1; null while it is sealed.',
    at('round.crowd.answers', orNull(keyed('answer', at('share', SHARE)))),
  ),
  hour: withText(
    'The running hour so far, in USD; the price lies between low and high.',
    at('round.price.prices', or({}, keyed('asset', { ...SAME, apply: hourView }))),
  ),
  candles: withText(
    'The hours before by asset, the oldest first: high, low and close in percent of the open.',
    at('round.assets', or({}, HOURS_BY_ASSET)),
  ),
  mistakes: withText(
    'Your last wrong answers, the newest first; null without a key that an agent holds.',
    at('mistakes.predictions.nodes', orNull(each(fields({ edge: ROUNDED })))),
  ),
});

/** High and low cover whole minutes, as in the deciding candle, unless they are live; the price is clamped to them. */
function hourView(figures: unknown): Data {
  const { open, high, low, price } = fieldsOf(figures);
  const [most, least] = [sixDigits(high), sixDigits(low)];
  const nearest = Math.max(least, Math.min(most, sixDigits(price)));
  return { open: open === null ? null : sixDigits(open), price: nearest, high: most, low: least };
}

function sixDigits(value: unknown): number {
  return Number(Number(value).toPrecision(6));
}

function hoursOf({ symbol, candles }: Data, _index: number, assets: readonly Data[]) {
  const last = candles === null ? [] : listOf(candles).slice(-Math.floor(CANDLES / assets.length));
  const hours = last.map(({ open, high, low, close }) =>
    [high, low, close].map((price) => Number((100 * (Number(price) / Number(open) - 1)).toFixed(2))),
  );
  return [String(symbol), hours] as const;
}

function digits(value: unknown): number | null {
  return value === null ? null : Number(Number(value).toFixed(4));
}

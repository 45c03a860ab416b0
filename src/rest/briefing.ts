import { type Described, itemsOf, mapOf, nullable, objectOf, propertiesOf, propertyOf, without } from './described.ts';
import type { Data, Shape } from './endpoint.ts';
import { fieldsOf, listOf } from './shapes.ts';

/* All that a language model needs before it answers, in at most 2 kB: a long context costs it more than another call. */

/** Candles of all assets together: more of each where a question is about few. */
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

/** The running round, what the price and the crowd say of it, the prices, and the caller's last mistakes. */
export const briefing: Shape = {
  apply({ round, mistakes }) {
    const { crowd = null, price = null, assets = [], ...question } = fieldsOf(round ?? {});
    return {
      round: round == null ? null : question,
      price: price === null ? null : priceView(fieldsOf(price)),
      crowd: crowd === null ? null : byName(listOf(fieldsOf(crowd)['answers']), 'answer', ({ share }) => digits(share)),
      hour: price === null ? {} : byName(listOf(fieldsOf(price)['prices']), 'asset', hourView),
      candles: candlesOf(listOf(assets)),
      mistakes: mistakes == null ? null : listOf(fieldsOf(fieldsOf(mistakes)['predictions'])['nodes']).map(mistake),
    };
  },
  describe(described) {
    const round = propertyOf(described, 'round');
    const price = propertyOf(round, 'price');
    const prices = propertyOf(price, 'prices');
    const said = mapOf({ type: 'number' }, 'How likely each answer is by the price alone, 0-1.');
    const view = objectOf({ ...without(propertiesOf(price), ['probabilities', 'prices']), probabilities: said });
    const shown = without(propertiesOf(round), ['crowd', 'price', 'assets']);
    return objectOf({
      round: { ...nullable(objectOf(shown, round.description)), description: 'The running round, or null.' },
      price: {
        ...nullable(view),
        description: 'What the price alone says, at its newest moment; null without a round.',
      },
      crowd: nullable(mapOf(SHARE, 'The part of all predictions that gave each answer, 0-1; null while it is sealed.')),
      hour: mapOf(
        objectOf(without(propertiesOf(itemsOf(prices)), ['asset'])),
        'The running hour so far, in USD; the price is not beyond high and low.',
      ),
      candles: mapOf(HOURS, 'The hours before by asset, the oldest first: high, low and close in percent of the open.'),
      mistakes: nullable({
        type: 'array',
        items: itemsOf(propertyOf(propertyOf(propertyOf(described, 'mistakes'), 'predictions'), 'nodes')),
        description: 'Your last wrong answers, the newest first; null without a key that an agent holds.',
      }),
    });
  },
};

const SHARE: Described = { type: ['number', 'null'] };
const HOURS: Described = { type: 'array', items: { type: 'array', items: { type: 'number' } } };

function priceView({ at, known, probabilities }: Data): Data {
  return {
    at,
    known,
    probabilities: byName(listOf(probabilities), 'answer', ({ probability }) => digits(probability)),
  };
}

/** The rest of each by what it is called. */
function byName(list: readonly Data[], name: string, of: (rest: Data) => unknown): Data {
  return Object.fromEntries(list.map(({ [name]: called, ...rest }) => [String(called), of(rest)]));
}

/** Extremes that are not live are those of whole minutes, as in the candle that decides; a price beyond them is shown as the nearest. */
function hourView({ price, ...rest }: Data): Data {
  const { low, high, ...shown } = sixDigits({ ...rest, price });
  return { ...shown, high, low, price: Math.max(Number(low), Math.min(Number(high), Number(shown['price']))) };
}

function sixDigits(figures: Data): Data {
  const shown = Object.entries(figures).map(([name, value]) => [
    name,
    value === null ? null : Number(Number(value).toPrecision(6)),
  ]);
  return Object.fromEntries(shown);
}

function candlesOf(assets: readonly Data[]): Data {
  const of = Math.floor(CANDLES / Math.max(assets.length, 1));
  return byName(assets, 'symbol', ({ candles }) => {
    const last = candles === null ? [] : listOf(candles).slice(-of);
    return last.map(({ open, high, low, close }) =>
      [high, low, close].map((price) => Number((100 * (Number(price) / Number(open) - 1)).toFixed(2))),
    );
  });
}

function mistake({ edge, ...prediction }: Data): Data {
  return { ...prediction, edge: digits(edge) };
}

/** Four decimals. */
function digits(value: unknown): number | null {
  return value === null ? null : Number(Number(value).toFixed(4));
}

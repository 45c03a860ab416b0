import { BOARD_ORDERS } from '../rules/board-orders.ts';
import { BOOLEAN_CHOICES } from '../rules/questions/question.ts';
import { nullable, present } from './described.ts';
import type { Shape } from './endpoint.ts';
import {
  at,
  each,
  fields,
  fieldsOf,
  GONE,
  keyed,
  objectFrom,
  optional,
  partsOf,
  raised,
  SAME,
  spread,
  withText,
} from './shape.ts';

function always(description: string): Shape {
  return { apply: () => true, describe: () => ({ type: 'boolean', const: true, description }) };
}

const SUCCESS = always('Always true; a refusal has `error` instead.');

export const succeeded = objectFrom({ success: SUCCESS, body: spread(at('body')) });

const DRY_RUN: Shape = {
  ...always('The answer was only checked; nothing is stored.'),
  apply: (isDryRun) => isDryRun === true || undefined,
};
const TEXT: Shape = { apply: (text) => text ?? undefined, describe: (one) => ({ ...one, type: 'string' }) };
/** Null only in others' answers, and so never here. */
const OWN: Shape = { ...SAME, describe: present };
const ID: Shape = { apply: (id) => (id === 0 ? null : id), describe: nullable };

export const submitted = objectFrom({
  success: SUCCESS,
  dry_run: optional(at('prediction.dry_run', DRY_RUN)),
  prediction: at(
    'prediction',
    fields({
      id: withText('From 1; null if only checked.', ID),
      prediction: OWN,
      confidence: OWN,
      replayed: GONE,
      dry_run: GONE,
      leaf_hash: GONE,
      rationale: optional(TEXT),
      model: optional(TEXT),
    }),
  ),
});

export const profile = raised('agent', ['win_rate', 'recent_predictions'], fields({ record: spread() }));

const OWN_FIELDS = [
  'registered_at',
  'rounds_competed',
  'sim_pnl_7d',
  'registered_at_iso',
  'standing_predictions',
  'webhooks',
];

export const ownProfile = raised(
  'agent',
  ['recent_predictions'],
  fields({ standing: spread(), record: spread(), ...partsOf(OWN_FIELDS, () => OWN) }),
);

const NEXT: Shape = {
  apply(page) {
    const { hasNextPage, endCursor } = fieldsOf(page);
    return hasNextPage === true ? endCursor : null;
  },
  describe: at('endCursor').describe,
};

export const ownPredictions = objectFrom({
  predictions: at('me.predictions.nodes'),
  next: withText('The `after` of the next page; null when this one is the last.', at('me.predictions.pageInfo', NEXT)),
});

export const ownWebhooks = objectFrom({ webhooks: at('me.webhooks') });

const ANSWER: Shape = {
  apply: (list) => BOOLEAN_CHOICES.find((choice) => Array.isArray(list) && list[0] === choice) ?? list,
  describe: ({ description = '', ...list }) => ({
    description,
    anyOf: [{ type: 'string', enum: BOOLEAN_CHOICES }, list],
  }),
};

export function standing(path: string): Shape {
  return at(path, fields({ rows: each(fields({ prediction: ANSWER })) }));
}

function again(symbol: string): Shape {
  return withText(`The same as \`assets.${symbol}\`.`, at(`assets.${symbol}`));
}

/** Prices by symbol; `btc` and `eth` repeat at the top level for compatibility (spec 2.6). */
export const marketByAsset = at(
  'body',
  fields({ assets: withText('The current price of each of the eight assets, by its symbol.', keyed('symbol')) }),
  objectFrom({ market: spread(), btc: again('BTC'), eth: again('ETH') }),
);

const ROW_EXTRAS = ['value', 'interval', 'rank_interval', 'tied_with_above', 'n', 'edge', 'luck'];
const BOARD_EXTRAS = ['min_rounds', 'benchmarks', 'rank_intervals_at'];
const ASKED = ['order_by', 'min_rounds', 'question_type', 'asset'];

const ORDER_BY: Shape = {
  apply: (order) => String(order).toLowerCase(),
  describe: () => ({
    type: 'string',
    enum: BOARD_ORDERS.map((order) => order.toLowerCase()),
    description:
      'The figure that orders the board. This field, those after it and the last seven fields of rows are present if the request has `order_by`, `min_rounds`, `question_type` or `asset`.',
  }),
};
const WHOLE_BOARD = fields({ order_by: ORDER_BY });
const SHORT_BOARD = fields({
  rankings: each(fields(partsOf(ROW_EXTRAS, () => leftOut()))),
  order_by: leftOut(ORDER_BY),
  ...partsOf(BOARD_EXTRAS, () => leftOut()),
});

function leftOut(shape = SAME) {
  return optional({ ...shape, apply: () => undefined });
}

export const leaderboard = at('body', {
  ...SHORT_BOARD,
  apply: (board, variables) =>
    (ASKED.some((name) => variables[name] !== undefined) ? WHOLE_BOARD : SHORT_BOARD).apply(board, variables),
});

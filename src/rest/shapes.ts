import { isObject } from '../http/bodies.ts';
import { BOARD_ORDERS } from '../rules/board-orders.ts';
import { BOOLEAN_CHOICES } from '../rules/questions/question.ts';
import {
  type Described,
  itemsOf,
  mapOf,
  nullable,
  objectOf,
  type Properties,
  propertiesOf,
  propertyOf,
  without,
} from './described.ts';
import type { Data, Shape } from './endpoint.ts';

/** The fields of an object of a document's data. Throws for what is none. */
export function fieldsOf(value: unknown): Data {
  if (isObject(value)) return value;
  throw new TypeError('An endpoint asks for fields of something that its document does not hold');
}

/** The objects of a list of a document's data. Throws for what is none. */
export function listOf(value: unknown): readonly Data[] {
  if (Array.isArray(value)) return value.map(fieldsOf);
  throw new TypeError('An endpoint asks for items of something that its document does not hold');
}

const SUCCESS: Described = { type: 'boolean', const: true, description: 'Always true; a refusal has `error` instead.' };

/** The endpoint's own fields beside `success`. */
export const succeeded: Shape = {
  apply: (data) => ({ success: true, ...fieldsOf(data['body']) }),
  describe: (described) => objectOf({ success: SUCCESS, ...propertiesOf(propertyOf(described, 'body')) }),
};

/** Moves fields of the object `from` up beside it. */
export function lifted(from: string, names: readonly string[]): Shape {
  return {
    apply(data) {
      const object = fieldsOf(data[from]);
      const stay = Object.entries(object).filter(([name]) => !names.includes(name));
      return {
        ...data,
        [from]: Object.fromEntries(stay),
        ...Object.fromEntries(names.map((name) => [name, object[name]])),
      };
    },
    describe(described) {
      const object = propertyOf(described, from);
      const fields = propertiesOf(object);
      return objectOf({
        ...propertiesOf(described),
        [from]: objectOf(without(fields, names), object.description),
        ...Object.fromEntries(names.map((name) => [name, propertyOf(object, name)])),
      });
    },
  };
}

const WORDS = ['rationale', 'model'];

/** A submission, with words where it has any; of one that was only checked there is no id yet. Whether it is a repeat is said by a header. */
export const submitted: Shape = {
  apply(data) {
    const { replayed: _replayed, dry_run: isDryRun, rationale, model, ...sent } = fieldsOf(data['prediction']);
    const prediction =
      rationale == null && model == null
        ? sent
        : { ...sent, ...(rationale != null && { rationale }), ...(model != null && { model }) };
    if (isDryRun !== true) return { success: true, prediction };
    const id = prediction['id'] === 0 ? null : prediction['id'];
    return { success: true, dry_run: true, prediction: { ...prediction, id } };
  },
  describe(described) {
    const prediction = propertyOf(described, 'prediction');
    const fields = without(propertiesOf(prediction), ['replayed', 'dry_run']);
    const id = { ...nullable(propertyOf(prediction, 'id')), description: 'From 1; null of what was only checked.' };
    const words = Object.fromEntries(WORDS.map((name) => [name, { ...fields[name], type: 'string' }]));
    const shown = optional(objectOf({ ...fields, ...words, id }, prediction.description), WORDS);
    const body = objectOf({ success: SUCCESS, prediction: shown });
    const dryRun: Described = { type: 'boolean', const: true, description: 'It was only checked: nothing is stored.' };
    return { ...body, properties: { ...body.properties, dry_run: dryRun } };
  },
};

/** An agent with the fields of these objects among its own, in their places. */
function withMerged(names: readonly string[]): Shape {
  return {
    apply(data) {
      const fields = Object.entries(fieldsOf(data['agent'])).flatMap((field) =>
        names.includes(field[0]) ? Object.entries(fieldsOf(field[1])) : [field],
      );
      return { agent: Object.fromEntries(fields) };
    },
    describe(described) {
      const agent = propertyOf(described, 'agent');
      const fields = Object.entries(propertiesOf(agent)).flatMap((field) =>
        names.includes(field[0]) ? Object.entries(propertiesOf(field[1])) : [field],
      );
      return objectOf({ agent: objectOf(Object.fromEntries(fields), agent.description) });
    },
  };
}

function inTurn(first: Shape, second: Shape): Shape {
  return {
    apply: (data, variables) => second.apply(first.apply(data, variables), variables),
    describe: (described) => second.describe(first.describe(described)),
  };
}

/** A public profile with the record among the agent's fields. */
export const profile = inTurn(withMerged(['record']), lifted('agent', ['win_rate', 'recent_predictions']));

/** The own profile; the rank is the one on the board that is shown unless another is asked for. */
export const ownProfile = inTurn(withMerged(['standing', 'record']), lifted('agent', ['recent_predictions']));

/** A page of the own predictions, and where the next one begins. */
export const ownPredictions: Shape = {
  apply(data) {
    const { nodes, pageInfo } = fieldsOf(fieldsOf(data['me'])['predictions']);
    const { hasNextPage, endCursor } = fieldsOf(pageInfo);
    return { predictions: nodes, next: hasNextPage === true ? endCursor : null };
  },
  describe(described) {
    const page = propertyOf(propertyOf(described, 'me'), 'predictions');
    const next = propertyOf(propertyOf(page, 'pageInfo'), 'endCursor');
    const description = 'The `after` of the next page; null when this one is the last.';
    return objectOf({ predictions: propertyOf(page, 'nodes'), next: { ...next, description } });
  },
};

/** The own webhooks, without the agent. */
export const ownWebhooks: Shape = {
  apply: (data) => fieldsOf(data['me']),
  describe: (described) => objectOf(propertiesOf(propertyOf(described, 'me'))),
};

/** What an agent has standing, of its field `of` where that is given: of questions with YES and NO the answer itself. */
export function standing(of?: 'me'): Shape {
  return {
    apply(data) {
      const { rows, ...beside } = fieldsOf((of === undefined ? data : fieldsOf(data[of]))['body']);
      const shown = listOf(rows).map(({ prediction, ...row }) => ({ ...row, prediction: answerOf(prediction) }));
      return { rows: shown, ...beside };
    },
    describe(described) {
      const body = propertyOf(of === undefined ? described : propertyOf(described, of), 'body');
      const rows = propertyOf(body, 'rows');
      const fields = propertiesOf(itemsOf(rows));
      const { description = '', ...list } = propertyOf(itemsOf(rows), 'prediction');
      const prediction = { description, anyOf: [{ type: 'string', enum: BOOLEAN_CHOICES }, list] };
      const row = objectOf({ ...fields, prediction }, itemsOf(rows).description);
      return objectOf({ ...propertiesOf(body), rows: { ...rows, items: row } }, body.description);
    },
  };
}

function answerOf(prediction: unknown): unknown {
  const [only] = Array.isArray(prediction) ? prediction : [];
  return BOOLEAN_CHOICES.some((one) => one === only) ? only : prediction;
}

/** Prices keyed by symbol; `btc` and `eth` again at the top level, kept for backward compatibility (spec 2.6). */
export const marketByAsset: Shape = {
  apply(data) {
    const market = fieldsOf(data['body']);
    const assets = Object.fromEntries(
      listOf(market['assets']).map(({ symbol, ...prices }) => [String(symbol), prices]),
    );
    return { ...market, assets, btc: assets['BTC'], eth: assets['ETH'] };
  },
  describe(described) {
    const market = propertyOf(described, 'body');
    const asset = itemsOf(propertyOf(market, 'assets'));
    const prices = objectOf(without(propertiesOf(asset), ['symbol']));
    const assets = mapOf(prices, 'The present price of each of the eight assets, by its symbol.');
    const again = (symbol: string): Described => ({ ...prices, description: `The same as \`assets.${symbol}\`.` });
    const fields: Properties = { ...propertiesOf(market), assets, btc: again('BTC'), eth: again('ETH') };
    return objectOf(fields, market.description);
  },
};

/** What the board's rows and the board itself have where an order, a number of rounds, a type or an asset is asked for. */
const ROW_EXTRAS = ['value', 'interval', 'rank_interval', 'tied_with_above', 'n', 'edge', 'luck'];
const BOARD_EXTRAS = ['order_by', 'min_rounds', 'benchmarks', 'rank_intervals_at'];
const ASKED = ['order_by', 'min_rounds', 'question_type', 'asset'];

/** A board; without any of these with the fields of the spec alone. */
export const leaderboard: Shape = {
  apply(data, variables) {
    const { order_by, min_rounds, benchmarks, rank_intervals_at, ...board } = fieldsOf(data['body']);
    if (ASKED.some((name) => variables[name] !== undefined))
      return { ...board, order_by: String(order_by).toLowerCase(), min_rounds, benchmarks, rank_intervals_at };
    const rankings = listOf(board['rankings']).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !ROW_EXTRAS.includes(name))),
    );
    return { ...board, rankings };
  },
  describe(described) {
    const board = propertyOf(described, 'body');
    const fields = propertiesOf(board);
    const rankings = propertyOf(board, 'rankings');
    const row = itemsOf(rankings);
    const orderBy: Described = { type: 'string', enum: BOARD_ORDERS.map((order) => order.toLowerCase()) };
    const told =
      'What it is ordered by; present, as what follows it and the last seven fields of rows, where `order_by`, `min_rounds`, `question_type` or `asset` is asked for.';
    return {
      ...board,
      properties: {
        ...fields,
        rankings: { ...rankings, items: optional(row, ROW_EXTRAS) },
        order_by: { ...orderBy, description: told },
      },
      required: Object.keys(without(fields, BOARD_EXTRAS)),
    };
  },
};

/** The object with fields that it need not have. */
function optional(described: Described, names: readonly string[]): Described {
  return { ...described, required: (described.required ?? []).filter((name) => !names.includes(name)) };
}

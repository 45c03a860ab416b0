import {
  defaultFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import { agentsPageOf, holdsName, isAgent } from '../reads/agents.ts';
import { boardKind, boardRow, nestedBoard } from '../reads/nested-board.ts';
import { compiledOnce } from '../reads/sql.ts';
import {
  type Nested,
  nestedOne,
  nestedRow,
  ofParent,
  readAlong,
  type RowKind,
  type RowPlan,
  type Wanted,
} from '../reads/nested.ts';
import { nestedPage } from '../reads/nested-page.ts';
import { AGENT, PREDICTION, ROUND } from '../reads/nested-rows.ts';
import { periodOf, standingRow } from '../reads/nested-standings.ts';
import { pageSize } from '../reads/paging.ts';
import { type AllPredictionsRequest, wholePageOf } from '../reads/prediction-pages.ts';
import { roundsPageOf } from '../reads/rounds.ts';
import { DomainError } from '../rules/errors.ts';
import type { Picks } from '../rules/predictions.ts';
import { type Context, requireViewer } from './context.ts';
import { boardAsked, isLive } from './leaderboard.ts';
import { sealedWanted } from './sealed-picks.ts';

/** What a compiled document tells a resolver beside graphql-js's own. */
interface SelectionInfo {
  /** What is selected below its field. */
  readonly wanted: Wanted;
  /** Hands the field's value over as it stands in the answer; null where the answer is wanted as data. */
  readonly asText: ((json: string) => unknown) | null;
  /** Whether the document is the service's own. */
  readonly isOwn: boolean;
}

/** Rows of the kinds that lists have, planned once for each selection that comes again. */
type RowPlans = Readonly<Record<'round' | 'prediction' | 'agent', RowPlan>>;

type Plan = (wanted: Wanted, context: Context, rows: RowPlans) => Nested | null | Promise<Nested | null>;

/** Fields of Query whose rows are read with all that hangs on them in one statement. */
const PLANS: Readonly<Record<string, Plan>> = {
  round: ({ args, selected }, _context, rows) =>
    nestedOne(rows.round(selected), sql`rounds r where r.id = ${args['id']}`),
  currentRound({ selected }, { services: { clock } }, rows) {
    const now = clock.now();
    return nestedOne(
      rows.round(selected),
      sql`rounds r where r.start_time <= ${now} and r.end_time > ${now} and r.status = 'active'`,
    );
  },
  nextRound: ({ selected }, { services: { clock } }, rows) =>
    nestedOne(
      rows.round(selected),
      sql`rounds r where r.status in ('upcoming', 'active') and r.start_time > ${clock.now()} order by r.start_time limit 1`,
    ),
  rounds({ args, selected }, { services: { clock } }, rows) {
    const { list, page } = roundsPageOf(args, clock.now());
    return nestedPage(list, page, { rowName: 'Round', rowOf: rows.round, selected });
  },
  predictions({ args, selected }, { services: { clock } }, rows) {
    const asked: AllPredictionsRequest = args;
    const { list, page } = wholePageOf(asked, clock.now());
    const found = nestedPage(list, page, { rowName: 'Prediction', rowOf: rows.prediction, selected });
    return found && ofParent(sql`${asked.agentId ?? 0}::int`, found);
  },
  agent({ args, selected }, { services: { clock } }, rows) {
    const who = whoIs(args);
    return who && nestedOne(rows.agent(selected), sql`agents a where ${isAgent(who)} and ${holdsName(clock.now())}`);
  },
  agents({ args, selected }, { services: { clock } }, rows) {
    const { list, page } = agentsPageOf(args, clock.now());
    return nestedPage(list, page, { rowName: 'Agent', rowOf: rows.agent, selected });
  },
  async me({ selected }, context, rows) {
    const { id } = await requireViewer(context);
    return nestedOne(rows.agent(selected), sql`agents a where a.id = ${id}`);
  },
  leaderboard({ args, selected }) {
    const { limit }: { readonly limit?: number | null } = args;
    if (!isLive(boardAsked(args))) return null;
    return nestedBoard(selected, periodOf(args), pageSize('limit', limit, PAGE_SIZES.leaderboard));
  },
};

/** Where nothing is found, the resolver looks further: it may have to bring the rounds to the present. */
const SEARCHED_FURTHER = new Set(['currentRound', 'nextRound']);

/** Null for what the resolver refuses. */
function whoIs({ id, name }: Wanted['args']): Parameters<typeof isAgent>[0] | null {
  if (typeof id === 'number' && name == null) return { id };
  return typeof name === 'string' && id == null && !/\p{Cc}/u.test(name) ? { name } : null;
}

/** Plans that depend on neither the time nor the caller: equal for equal selections and arguments. */
const TIMELESS = new Set(['round', 'rounds', 'leaderboard']);

function isTimeless(name: string, { args }: Wanted): boolean {
  return TIMELESS.has(name) && args['ended'] == null;
}

/**
 * The value of a field of Query with all that is selected below it, from one statement. Undefined where its resolver is to
 * find it: for documents that are not compiled, and arguments that it refuses.
 */
export type LookAhead = (name: string, context: Context, info: GraphQLResolveInfo) => Promise<unknown>;

/** Plans without variables are kept from the second time on, as long as their document is. */
export function openLookAhead(picks: Picks): LookAhead {
  const kept = compiledFromSecond<Wanted>();
  // What is sealed is put together for each request.
  const planOf = picks === 'sealed' ? plannedRow : keptRow;
  const rows = { round: planOf(ROUND), prediction: planOf(PREDICTION), agent: planOf(AGENT) };
  return async (name, context, info) => {
    const plan = PLANS[name];
    if (plan === undefined || !knowsSelection(info)) return undefined;
    const { wanted, asText, isOwn } = info;
    let nested = kept.known(wanted) ?? null;
    if (nested === null) {
      nested = await planned(() => plan(picks === 'sealed' ? sealedWanted(wanted) : wanted, context, rows));
      if (nested === null) return undefined;
      if (isTimeless(name, wanted)) nested = kept.keep(wanted, nested);
    }
    const found = await valueOf(nested, { asText: picks === 'open' ? asText : null, isOwn }, context);
    return found === null && SEARCHED_FURTHER.has(name) ? undefined : found;
  };
}

/** Sealed picks are for resolvers to show. */
async function valueOf(
  { sql: rows, text, read }: Nested,
  { asText, isOwn }: Pick<SelectionInfo, 'asText' | 'isOwn'>,
  { services: { readJson } }: Context,
) {
  const json = await readJson(asText && text ? text : rows, isOwn ? 'own' : 'callers');
  if (asText && text) return json && asText(json);
  return read(json && JSON.parse(json));
}

function knowsSelection(info: object): info is SelectionInfo {
  return 'wanted' in info;
}

function plannedRow(kind: RowKind): RowPlan {
  return (wanted) => nestedRow(kind, wanted);
}

/** Only what a request itself says is left to be put together. */
function keptRow(kind: RowKind): RowPlan {
  const kept = compiledFromSecond<readonly Wanted[]>();
  return (wanted) => kept.known(wanted) ?? kept.keep(wanted, nestedRow(kind, wanted));
}

/** Plans by what is wanted, compiled and kept when they come the second time: what variables are part of never does. */
function compiledFromSecond<Key extends object>() {
  const kept = new WeakMap<Key, Nested>();
  const seen = new WeakSet<Key>();
  return {
    known: (wanted: Key): Nested | undefined => kept.get(wanted),
    keep(wanted: Key, nested: Nested): Nested {
      if (!seen.has(wanted)) {
        seen.add(wanted);
        return nested;
      }
      const fixed = compiled(nested);
      kept.set(wanted, fixed);
      return fixed;
    },
  };
}

/** Its SQL as text, which takes a fraction of the heap that its parts take. */
function compiled({ sql: rows, text, read }: Nested): Nested {
  return { sql: compiledOnce(rows), text: text && compiledOnce(text), read };
}

async function planned(plan: () => ReturnType<Plan>): Promise<Nested | null> {
  try {
    return await plan();
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Lets fields whose value was read along with their row take it from there; others go on to their resolvers. */
export function takeReadAlong(schema: GraphQLSchema): void {
  for (const [name, { along }] of Object.entries(ROW_KINDS)) {
    const type = schema.getType(name);
    if (type !== undefined && isObjectType(type)) takeFrom(type, Object.keys(along));
  }
}

const ROW_KINDS: Readonly<Record<string, Pick<RowKind, 'along'>>> = {
  Standing: standingRow('weekly'),
  Round: ROUND,
  Prediction: PREDICTION,
  Agent: AGENT,
  Leaderboard: boardKind('weekly', 0),
  LeaderboardRow: boardRow('weekly'),
};

function takeFrom(type: GraphQLObjectType, names: readonly string[]): void {
  const fields = type.getFields();
  for (const name of names) {
    const field = fields[name];
    if (field === undefined) throw new Error(`${type.name} has no field ${name} to be read along`);
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (row, args, context, info) => {
      const found = readAlong(row, info.path.key);
      return found === undefined ? resolve(row, args, context, info) : found;
    };
  }
}

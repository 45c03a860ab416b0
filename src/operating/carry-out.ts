import { withDeadline } from '../deadline.ts';
import { ROUND_ACTIONS } from '../jobs/round-actions.ts';
import { type ActionResult, type AdminOrder, recordAction, withAudit } from '../jobs/audit.ts';
import type { ResolvingDeps } from '../jobs/resolve/waiting-rounds.ts';
import { MAX_ID } from '../limits.ts';
import { checkFields, wholeNumber } from '../http/parameters.ts';
import { ADMIN_FIELDS, type AdminAction, type AdminField, checkedReason } from '../rules/admin-actions.ts';
import { DomainError, refused } from '../rules/errors.ts';
import { MINUTE } from '../rules/hours.ts';
import { rotateServiceKey } from '../transparency/service-keys.ts';
import { actOnAgent, type AgentActionDeps } from './agent-actions.ts';

export type ActingDeps = ResolvingDeps & AgentActionDeps;

/** An order of a program or of the page. */
export interface OrderRequest {
  readonly row: AdminAction;
  readonly id: string;
  readonly actor: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The timeout of an action's database work: an amendment reads all answers of its agents. Exchanges have timeouts of
 * their own.
 */
const ACTION_MS = 5 * MINUTE;

/**
 * Runs an operator's action, or with `dry_run` describes its effect. Throws `DomainError` for a refusal, which is
 * audited too, also of a dry run: the page starts each action with one.
 */
export async function carryOut(deps: ActingDeps, given: OrderRequest): Promise<Readonly<Record<string, unknown>>> {
  const { row, actor, body } = given;
  const { name: action, of } = row;
  const id = wholeNumber(given.id, { min: 1, max: MAX_ID });
  const log = (result: unknown): void =>
    deps.log.info({ [TARGET_IDS[of].inLogs]: id, action, reason: reasonOf(body), result }, 'An operator acted');
  try {
    const done = await withDeadline(ACTION_MS, () => act(deps, row, orderOf(given, id)));
    if (body['dry_run'] !== true) log(done.result);
    return answerOf(given, done);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const result = { refused: error.message, ...(body['dry_run'] === true && { dry_run: true }) };
    await recordAction(
      deps.newEm(),
      { action, of, actor, id, reason: reasonOf(body) },
      { now: deps.clock.now(), result },
    );
    log(result);
    throw error;
  }
}

function act(deps: ActingDeps, row: AdminAction, order: AdminOrder): Promise<ActionResult> {
  if (row.of === 'rounds') return ROUND_ACTIONS[row.name](deps, order);
  return row.of === 'keys' ? rotateKey(deps, order) : actOnAgent(deps, { ...order, action: row.name });
}

function rotateKey(deps: ActingDeps, order: AdminOrder): Promise<ActionResult> {
  return withAudit(deps, order, async (transaction) => {
    const result = { former_id: order.id, ...(await rotateServiceKey(transaction, order.id, deps)) };
    return { effect: 'A new key signs from now on; for a day the former one signs too.', result };
  });
}

/** Throws `BAD_REQUEST`. */
function orderOf({ row, id: text, actor, body }: OrderRequest, id: number | null): AdminOrder {
  const { name: action, of } = row;
  checkFields(body, ['reason', 'dry_run', ...row.takes]);
  if (id === null) throw refused(idName(row), `an id of ${of}, a whole number from 1 to ${MAX_ID}`, text);
  const { dry_run: dryRun = false } = body;
  if (typeof dryRun !== 'boolean') throw refused('dry_run', 'true or false', dryRun);
  return { action, of, id, actor, reason: checkedReason(body['reason']), dryRun, ...fieldsOf(row, body) };
}

function fieldsOf(
  { takes }: AdminAction,
  body: OrderRequest['body'],
): Partial<Pick<AdminOrder, 'name' | 'round' | 'outcome' | 'fromEvidence' | 'end'>> {
  const given = takes.filter((field) => body[field] !== undefined && body[field] !== '');
  return Object.assign({}, ...given.map((field) => FIELDS[field](body[field])));
}

/** Parses a field; each throws `BAD_REQUEST`. */
const FIELDS: Readonly<Record<AdminField, (value: unknown) => object>> = {
  name: (value) => ({ name: textOf('name', value) }),
  outcome: (value) => ({ outcome: textOf('outcome', value) }),
  from_evidence: (value) => ({ fromEvidence: truthOf('from_evidence', value) }),
  end: (value) => ({ end: truthOf('end', value) }),
  round(value) {
    const id = wholeNumber(['number', 'string'].includes(typeof value) ? String(value) : '', { min: 1, max: MAX_ID });
    if (id !== null) return { round: id };
    throw refused('round', `the id of a round, a whole number from 1 to ${MAX_ID}`, value);
  },
};

/** Also from text, as forms send it. */
function truthOf(field: AdminField, value: unknown): boolean {
  if ([true, false, 'true', 'false'].some((one) => one === value)) return value === true || value === 'true';
  throw refused(field, 'true or false', value);
}

function textOf(field: AdminField, value: unknown): string {
  if (typeof value === 'string') return value;
  throw refused(field, `a text such as ${ADMIN_FIELDS[field].example}`, value);
}

function answerOf(given: OrderRequest, { effect, result, shownOnce }: ActionResult) {
  return {
    [idName(given.row)]: Number(given.id),
    ...result,
    ...shownOnce,
    effect,
    ...(given.body['dry_run'] === true && { dry_run: true }),
  };
}

const TARGET_IDS = {
  rounds: { name: 'round_id', inLogs: 'roundId' },
  agents: { name: 'agent_id', inLogs: 'agentId' },
  keys: { name: 'key_id', inLogs: 'keyId' },
} as const satisfies Record<AdminAction['of'], object>;

function idName({ of }: AdminAction): string {
  return TARGET_IDS[of].name;
}

/** Null if it is invalid. */
function reasonOf({ reason }: OrderRequest['body']): string | null {
  try {
    return checkedReason(reason);
  } catch {
    return null;
  }
}

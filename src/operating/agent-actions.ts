import { LockMode, type SqlEntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';

import type { Bus } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import { Agent, ReservedName } from '../entities/agent.ts';
import { Rationale } from '../entities/rationale.ts';
import { DefaultAnswerAgent, DefaultAnswer } from '../entities/default-answers.ts';
import type { DB } from '../entities/tables.ts';
import { Webhook } from '../entities/webhooks.ts';
import { forgetModels, lockWords } from '../jobs/ledger/move.ts';
import { type ActionResult, type AdminOrder, withAudit } from '../jobs/audit.ts';
import { isReleased } from '../reads/agents.ts';
import { defaultAnswersOf } from '../reads/plan/default-answers.ts';
import { webhooksOf } from '../reads/plan/webhook.ts';
import { keyHash, newKey } from '../resolvers/keys.ts';
import type { AdminAction } from '../rules/admin-actions.ts';
import { checkAgentName, nameKey, removedName } from '../rules/agents.ts';
import { keepDigests } from '../transparency/prediction-leaves.ts';
import { DomainError, refused } from '../rules/errors.ts';

export interface AgentActionDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Buffer;
  readonly keyPepper: string | undefined;
  /** Called once cached answers may have changed. */
  readonly publish: Bus['publish'];
}

type AgentAction = Extract<AdminAction, { of: 'agents' }>['name'];

/** A locked agent and the ordered action. */
interface ActionContext {
  readonly deps: AgentActionDeps;
  readonly transaction: SqlEntityManager;
  readonly agent: Agent;
  readonly order: AdminOrder;
  readonly now: Date;
}

const ROUND_NEEDED = 'the id of a round with a rationale or model of the agent, a whole number from 1';

type Change = (ordered: ActionContext) => Promise<ActionResult>;

const CHANGES: Readonly<Record<AgentAction, Change>> = { rekey, rename, block, unblock, hide, remove };

/** Actions on rationales: they wait for writes in flight, and apply to removed agents and expired spectators too. */
const TAKE_WORDS: ReadonlySet<AgentAction> = new Set(['hide', 'remove']);

/**
 * Runs an operator's action on an agent and its audit entry in one transaction. It takes effect at once in every
 * process, since keys are looked up in the database. Throws `NOT_FOUND` and `CONFLICT`.
 */
export async function actOnAgent(
  deps: AgentActionDeps,
  order: AdminOrder & { action: AgentAction },
): Promise<ActionResult> {
  const takesWords = TAKE_WORDS.has(order.action);
  const acting = withAudit(deps, order, async (transaction, now) => {
    if (takesWords) await lockWords(transaction);
    const agent = await transaction.findOne(Agent, { id: order.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (agent === null || (isReleased(agent, now) && !takesWords))
      throw new DomainError('unknown_agent', `There is no agent ${order.id}.`);
    if (agent.removedAt != null && !takesWords)
      throw new DomainError('conflict', `Agent ${order.id} is already removed.`);
    return CHANGES[order.action]({ deps, transaction, agent, order, now });
  });
  // Cached decided rounds contain names too. A connection lost at the commit may have committed.
  return acting.finally(() => order.dryRun || deps.publish('names'));
}

/** The former key's holder may have set webhooks and standing predictions: they are listed, and deleted if ordered. */
async function rekey({ deps, transaction, agent, order }: ActionContext): Promise<ActionResult> {
  const apiKey = newKey(deps.randomBytes);
  agent.keyHash = keyHash(apiKey, deps.keyPepper);
  const webhooks = (await webhooksOf(transaction, agent.id)).map(({ id, url, state }) => ({ id, url, state }));
  const standing = ((await defaultAnswersOf(transaction, agent.id))?.rows ?? []).map(
    ({ questionType: question_type, setAt: _setAt, ...row }) => ({ question_type, ...row }),
  );
  const urls = webhooks.map(({ url }) => url).join(', ');
  const found = [
    ...(webhooks.length === 0 ? [] : [`${countText(webhooks, 'webhook')} (${urls})`]),
    ...(standing.length === 0 ? [] : [countText(standing, 'standing answer')]),
  ].join(' and ');
  if (order.end === true) await endWhatStands(transaction, agent.id);
  const fate = order.end === true ? `Its ${found} end.` : `It keeps ${found}; \`end\` ends them.`;
  const ended = { ended_webhooks: webhooks.length, ended_standing: standing.length };
  return {
    effect: `Agent ${agent.id} gets a new key, shown only here; the old one is refused from now on.${found && ` ${fate}`}`,
    result: order.end === true ? ended : {},
    shownOnce: { name: agent.name, api_key: order.dryRun ? null : apiKey, webhooks, standing },
  };
}

function countText({ length }: readonly unknown[], one: string): string {
  return `${length} ${one}${length === 1 ? '' : 's'}`;
}

/** Deletes the settings of an agent that keep working without its key: webhooks and standing predictions. */
async function endWhatStands(transaction: SqlEntityManager, agentId: number): Promise<void> {
  await transaction.nativeDelete(Webhook, { agentId });
  await transaction.nativeDelete(DefaultAnswer, { agentId });
  await transaction.nativeDelete(DefaultAnswerAgent, { agentId });
}

async function rename({ transaction, agent, order }: ActionContext): Promise<ActionResult> {
  const { id, name: former, nameKey: formerKey } = agent;
  const { name = `agent-${id}` } = order;
  checkAgentName(name);
  if (name === former) throw new DomainError('conflict', `Agent ${id} already has this name.`);
  await takeName(transaction, agent, name);
  if (formerKey != null && formerKey !== nameKey(name))
    await transaction.upsert(ReservedName, { nameKey: formerKey, agentId: id }, { onConflictAction: 'ignore' });
  return {
    effect: `Agent ${id} is called ${name} from now on; its former name stays reserved for it.`,
    result: { name },
    shownOnce: { former_name: former },
  };
}

/** Throws `CONFLICT` if another agent has the name, or it is reserved for one. */
async function takeName(transaction: SqlEntityManager, agent: Agent, name: string): Promise<void> {
  transaction.assign(agent, { name, nameKey: nameKey(name) });
  try {
    await transaction.flush();
  } catch (cause) {
    if (!(cause instanceof UniqueConstraintViolationException)) throw cause;
    throw new DomainError('name_taken', `The name "${name}" is another agent's, or reserved for one.`, { cause });
  }
}

async function block({ agent, order }: ActionContext): Promise<ActionResult> {
  if (agent.blockReason != null) throw new DomainError('conflict', `Agent ${agent.id} is already blocked.`);
  agent.blockReason = order.reason;
  return {
    effect: `Every change by agent ${agent.id} is refused with this reason; it may still read.`,
    result: { blocked: true },
    shownOnce: { name: agent.name },
  };
}

async function unblock({ agent }: ActionContext): Promise<ActionResult> {
  if (agent.blockReason == null) throw new DomainError('conflict', `Agent ${agent.id} is not blocked.`);
  agent.blockReason = null;
  return {
    effect: `Agent ${agent.id} may predict again.`,
    result: { blocked: false },
    shownOnce: { name: agent.name },
  };
}

/** Removes a rationale and its model from answers and from the sums by model. The audit stores neither. */
async function hide({ transaction, agent, order, now }: ActionContext): Promise<ActionResult> {
  const { id } = agent;
  const { round: roundId } = order;
  if (roundId === undefined) throw refused('round', ROUND_NEEDED, roundId);
  const words = await transaction.findOne(Rationale, { prediction: [roundId, id], hiddenAt: null });
  if (words === null)
    throw new DomainError(
      'conflict',
      `Agent ${id} has no rationale or model in round ${roundId}, or it is already hidden.`,
    );
  await forgetModels(transaction, id, roundId);
  words.hiddenAt = now;
  const effect = `The rationale and model of agent ${id} in round ${roundId} are hidden for good; the answer stays.`;
  return { effect, result: { hidden_round: roundId } };
}

/** The audit keeps no name: it would be the only place with it. */
async function remove({ deps, transaction, agent, now }: ActionContext): Promise<ActionResult> {
  const { id } = agent;
  const name = removedName(id);
  await takeName(transaction, agent, name);
  await transaction.nativeDelete(ReservedName, { agentId: id });
  await forgetModels(transaction, id);
  await keepDigests(transaction, id);
  await transaction.getKysely<DB>().deleteFrom('rationales').where('agent_id', '=', id).execute();
  await endWhatStands(transaction, id);
  agent.walletAddress = null;
  agent.about = null;
  agent.url = null;
  agent.blockReason = null;
  agent.removedAt ??= now;
  // The hash of a random key that is never returned: the former key stops working.
  agent.keyHash = keyHash(newKey(deps.randomBytes), deps.keyPepper);
  const effect = `Agent ${id} is called ${name} for good. Its wallet address, webhooks, standing answers, key and words are removed; its predictions and scores stay.`;
  return { effect, result: { name, removed: true } };
}

import { refused } from './errors.ts';
import { withoutKeys } from './keys.ts';
import { DECIDED_STATUSES, type RoundStatus, UNDECIDED_STATUSES } from './round-states.ts';

export type AdminTarget = 'rounds' | 'agents' | 'keys';

interface ActionRow {
  readonly name: string;
  readonly of: AdminTarget;
  readonly summary: string;
  /** States of the round, agent or service key in which the action is allowed. */
  readonly when: readonly (RoundStatus | AgentState | 'present')[];
  readonly takes: readonly AdminField[];
  /** True: no action reverses it. */
  readonly isFinal?: true;
}

type AgentState = 'free' | 'blocked' | 'removed';

export const ADMIN_FIELDS = {
  name: { example: 'new-name', summary: 'The new name; left out, a neutral one such as agent-12 hides the old one.' },
  round: { example: '345', summary: 'The id of the round whose rationale and model are hidden.' },
  outcome: { example: 'YES', summary: 'The winning answer, or void.' },
  from_evidence: {
    example: 'true',
    summary: 'true instead of an outcome: the current candles of the exchanges decide.',
  },
  end: {
    example: 'true',
    summary: 'true removes its webhooks and standing predictions, which a holder of the old key may have set.',
  },
} as const;

export type AdminField = keyof typeof ADMIN_FIELDS;

/** Actions of operators. Routes, the command line, the page and the audit derive from these rows. */
export const ADMIN_ACTIONS = [
  {
    name: 'void',
    of: 'rounds',
    summary: 'Declares an undecided round void at once. The reason is public.',
    when: UNDECIDED_STATUSES,
    takes: [],
    isFinal: true,
  },
  {
    name: 'retry',
    of: 'rounds',
    summary: 'Tries now to decide a round that waits for its outcome. The reason is public.',
    when: ['resolving'],
    takes: [],
  },
  {
    name: 'resolve',
    of: 'rounds',
    summary: 'Decides a round again and compares; the earlier decision stays in force. The reason is public.',
    when: DECIDED_STATUSES,
    takes: [],
  },
  {
    name: 'amend',
    of: 'rounds',
    summary:
      'Replaces a decision within 7 days of it; scores, totals and boards follow. The first stays on record. The reason is public.',
    when: DECIDED_STATUSES,
    takes: ['outcome', 'from_evidence'],
    isFinal: true,
  },
  {
    name: 'rekey',
    of: 'agents',
    summary:
      'Gives the agent a new key, which is shown once; the old one is refused from then on. Lists the webhooks and standing predictions that may have been set with the old one.',
    when: ['free', 'blocked'],
    takes: ['end'],
    isFinal: true,
  },
  {
    name: 'rename',
    of: 'agents',
    summary: 'Gives the agent another name; the old one stays reserved for it, and nobody else can take it.',
    when: ['free', 'blocked'],
    takes: ['name'],
  },
  {
    name: 'block',
    of: 'agents',
    summary: 'Refuses every change by the agent, and shows it the reason; it may still read.',
    when: ['free'],
    takes: [],
  },
  { name: 'unblock', of: 'agents', summary: 'Lets a blocked agent predict again.', when: ['blocked'], takes: [] },
  {
    name: 'hide',
    of: 'agents',
    summary: "Hides an agent's rationale and model in one round for good.",
    when: ['free', 'blocked', 'removed'],
    takes: ['round'],
    isFinal: true,
  },
  {
    name: 'remove',
    of: 'agents',
    summary:
      'Removes for good everything that may identify a person: names, wallet address, key and texts. Predictions and scores stay.',
    when: ['free', 'blocked', 'removed'],
    takes: [],
    isFinal: true,
  },
  {
    name: 'rotate',
    of: 'keys',
    summary: 'Replaces the current service key by a new one, with a public note that both keys have signed.',
    when: ['present'],
    takes: [],
    isFinal: true,
  },
] as const satisfies readonly ActionRow[];

export const ADMIN_LISTS = [
  { name: 'attention', summary: 'Rounds that wait and why, sources down, alarms.', takes: [] },
  { name: 'rounds', summary: 'The newest rounds.', takes: [] },
  {
    name: 'agents',
    summary: 'Agents by id, the beginning of their name, or a former name; without a search the newest.',
    takes: ['search'],
  },
  { name: 'keys', summary: 'The keys that sign webhooks, the current one first.', takes: [] },
  { name: 'queues', summary: 'The number of waiting jobs, and each with its attempts and last error.', takes: [] },
  { name: 'limits', summary: 'The limits in force.', takes: [] },
  { name: 'audit', summary: 'Actions with actor and reason, the newest first.', takes: ['limit', 'before'] },
] as const;

export type AdminListName = (typeof ADMIN_LISTS)[number]['name'];

export type AdminAction = (typeof ADMIN_ACTIONS)[number];

export type AdminActionName = AdminAction['name'];

/** In characters. */
export const LONGEST_REASON = 500;

const SENTENCE = new RegExp(`^\\P{Cc}{1,${LONGEST_REASON}}$`, 'u');

/** Trims the reason and removes keys. Throws BAD_REQUEST if it is empty, too long or has control characters. */
export function checkedReason(given: unknown): string {
  const text = typeof given === 'string' ? withoutKeys(given.trim()) : '';
  if (SENTENCE.test(text) && text.isWellFormed()) return text;
  throw refused('reason', `a sentence of 1 to ${LONGEST_REASON} characters without control characters`, given);
}

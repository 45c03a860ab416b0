import type { PageName } from './addresses.ts';

const SITE = 'Hourcast';

/** For unknown addresses. */
export const UNKNOWN = `No such page · ${SITE}`;

/** For pages without a round or an agent. */
export const TITLES: Readonly<Record<PageName, string>> = {
  now: `${SITE}: one question an hour`,
  rounds: `Rounds · ${SITE}`,
  round: `Round · ${SITE}`,
  agents: `Agents · ${SITE}`,
  agent: `Agent · ${SITE}`,
  boards: `Leaderboard · ${SITE}`,
  frozen: `Frozen board · ${SITE}`,
  archive: `Frozen boards · ${SITE}`,
  models: `Models · ${SITE}`,
  forecast: `The arena’s forecast · ${SITE}`,
  questions: `Questions · ${SITE}`,
  about: `About · ${SITE}`,
  join: `Join · ${SITE}`,
  me: `My agent · ${SITE}`,
  embedRound: `The hour being played · ${SITE}`,
  embedBoard: `The leaderboard · ${SITE}`,
  embedAgent: `An agent’s record · ${SITE}`,
};

export function roundTitle(round: { readonly id: number }, question: string): string {
  return `${question} · Round ${round.id}`;
}

export function agentTitle({ name }: { readonly name: string }): string {
  return `${name} · ${SITE}`;
}

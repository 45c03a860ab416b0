import { submitBadly } from './bad-submissions.ts';
import { asBody, at, bodyOf, textOf, type Body } from './json.ts';
import { momentOf, sightingsOf } from './observations.ts';
import { verdictOf } from './oracle-questions.ts';
import { activate, isOver, registered, rotate, submit, type Player } from './players.ts';
import { until } from '../support/poll.ts';
import { factsOf, type RoundFacts } from './round-facts.ts';
import { CAST, planOf, type Plan, type Script } from './scripted-agents.ts';
import type { Candles } from './candle-files.ts';
import type { Client } from './http-client.ts';
import type { Moment, Sighting } from './recording.ts';

export interface PlayOptions {
  readonly client: Client;
  readonly candles: Candles;
  readonly rounds: number;
  /** Boards are read in each round whose ordinal this divides. */
  readonly boardsEvery: number;
  /** How many recent rounds are looked at in each round. */
  readonly recent: number;
  /** Called when a round has been played, with its hour. */
  readonly onPlayed: (hour: number) => Promise<void>;
}

/** What the agents saw and were promised while they played. */
export interface Played {
  readonly players: Player[];
  readonly accepted: Body[];
  readonly learned: Body[];
  readonly moments: Moment[];
  readonly sightings: Sighting[];
  readonly surprises: string[];
  /** Submissions that came after the end of their round. */
}

/** Lets the twenty agents play a number of rounds, each with one submission a round. */
export async function play(options: PlayOptions): Promise<Played> {
  const played: Played = { players: [], accepted: [], learned: [], moments: [], sightings: [], surprises: [] };
  for (let ordinal = 0; ordinal < options.rounds; ordinal += 1) {
    const round = await nextRound(options.client, played.learned.at(-1)?.['id']);
    played.learned.push(round);
    await playRound(options, played, round, ordinal);
    played.sightings.push(...(await sightingsOf(options.client, options.recent)));
    await options.onPlayed(factsOf(round).hour);
  }
  return played;
}

export function nextRound(client: Client, last: Body[string] | undefined): Promise<Body> {
  return until('another round is active', async () => {
    const { round = null } = await client.get('/api/rounds/current');
    if (round === null) return null;
    const body = asBody(round, 'round');
    return body['id'] === last ? null : body;
  });
}

async function playRound(options: PlayOptions, played: Played, round: Body, ordinal: number): Promise<void> {
  const { client, candles, boardsEvery } = options;
  const boards = ordinal % boardsEvery === 0;
  const early = ordinal % (2 * boardsEvery) === 0;
  if (boards && early) played.moments.push(await momentOf(client));
  await arrive(client, played, round, ordinal);
  await submitAll(client, played, factsOf(round), { candles, together: ordinal % 3 === 0, ordinal });
  if (boards && !early) played.moments.push(await momentOf(client));
}

/** Registrations, activations and rotations that are due in this round. */
async function arrive(client: Client, played: Played, round: Body, ordinal: number): Promise<void> {
  for (const script of CAST.filter(({ joins }) => joins === ordinal))
    played.players.push(await registered(client, script));
  const due = (when: keyof Script): Player[] => played.players.filter(({ script }) => script[when] === ordinal);
  for (const player of due('activates')) played.surprises.push(...(await activate(client, player, round)));
  for (const player of due('rotates')) played.surprises.push(...(await rotate(client, player)));
}

interface Submissions {
  readonly candles: Candles;
  readonly together: boolean;
  readonly ordinal: number;
}

/**
 * One after the other, so that submissions of equal score and confidence have different times; in some rounds those
 * whose confidence nobody shares come all at once before.
 */
async function submitAll(client: Client, played: Played, facts: RoundFacts, how: Submissions): Promise<void> {
  const verdict = verdictOf(facts, how.candles);
  const planned = played.players
    .filter((player) => player.competes)
    .flatMap((player) => {
      const plan = planOf(player.script, facts, verdict, how.ordinal);
      return plan === undefined ? [] : [{ player, plan }];
    });
  const first = how.together ? planned.filter(({ plan }) => plan.floating) : [];
  await Promise.all(first.map(({ player, plan }) => submitOne(client, played, facts, { player, plan })));
  for (const { player, plan } of planned.filter((each) => !first.includes(each))) {
    await submitOne(client, played, facts, { player, plan });
  }
  const bad = played.players.length === 0 ? undefined : at(played.players, how.ordinal % played.players.length);
  const good = played.accepted.find((body) => body['agent_id'] === bad?.id && body['round_id'] === facts.id);
  if (bad !== undefined && good !== undefined) {
    const { round_id = null, prediction = null, confidence = null } = good;
    played.surprises.push(...(await submitBadly(client, bad, { round_id, prediction, confidence }, how.ordinal)));
  }
}

async function submitOne(
  client: Client,
  played: Played,
  facts: RoundFacts,
  who: { player: Player; plan: Plan },
): Promise<void> {
  const { player, plan } = who;
  const asked = { round_id: facts.id, prediction: plan.prediction, confidence: plan.confidence };
  const { status, body } = await submit(client, player.key, asked);
  if (status === 201) {
    const given = bodyOf(body, 'prediction');
    played.accepted.push({ ...given, agent_name: player.script.name });
    if (!answers(given, asked, player))
      played.surprises.push(`${JSON.stringify(asked)} of ${player.id} answers ${JSON.stringify(given)}`);
    return;
  }
  // The hour may turn while an agent makes up its mind: that is refused, and no surprise.
  if (status === 400 && (await isOver(client, facts.id))) return;
  played.surprises.push(`a good submission of ${player.script.name} answers ${status}: ${JSON.stringify(body)}`);
}

function answers(given: Body, asked: Body, player: Player): boolean {
  const same = Object.entries(asked).every(([key, value]) => given[key] === value);
  return (
    same && given['agent_id'] === player.id && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(textOf(given, 'submitted_at'))
  );
}

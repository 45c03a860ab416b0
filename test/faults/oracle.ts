import type { ClientConfig } from 'pg';

import { type Accepted, type Memory, offerKey } from './memory.ts';
import { hourDifferences } from '../oracle/kept-hours.ts';
import { replayDifferences } from '../oracle/replay.ts';
import { factDifferences } from '../oracle/stored-facts.ts';
import type { Uptime } from '../support/service-process.ts';
import { type Ask, snapshot } from '../support/snapshot.ts';
import type { Subscriber } from '../support/subscriber.ts';
import { logDifferences } from '../transparency/log-oracle.ts';

/** What the oracle compares the database with. */
export interface Witnesses {
  readonly memory: Memory;
  /** What they have received must be what the log holds. */
  readonly subscribers?: readonly Pick<Subscriber, 'name' | 'received' | 'faults'>[];
  readonly uptimes?: readonly Uptime[];
  /** Demands every hour of the uptimes, also of a clock that is so fast that a busy machine may not keep up. */
  readonly everyHour?: boolean;
}

interface Stored extends Omit<Accepted, 'submittedAt'> {
  readonly submittedAt: string;
  readonly idempotencyKey: string | null;
}

/**
 * Every difference between the database and what must be in it: each 201 there and scored once, nothing else taken,
 * hours decided once, all sums, boards, counters and events. True at any moment, whether the service runs or is dead.
 * It asks in SQL and works out by rules of its own.
 */
export function differences(connection: ClientConfig, witnesses: Witnesses): Promise<readonly string[]> {
  return snapshot(connection, (ask) => differencesIn(ask, witnesses));
}

/** The same of what `ask` sees, which is one moment from its first answer on. */
export async function differencesIn(ask: Ask, witnesses: Witnesses): Promise<readonly string[]> {
  const { memory, subscribers = [], uptimes = [], everyHour = false } = witnesses;
  // What is answered after the look at the database need not be in it.
  const answered = [...memory.accepted.values()];
  const registered = [...memory.registered];
  const received = subscribers.map(({ name, received: lines }) => ({ name, lines: [...lines] }));
  return [
    ...memory.surprises,
    ...subscribers.flatMap(({ faults }) => faults),
    ...(await predictionDifferences(ask, memory, answered)),
    ...(await agentDifferences(ask, registered)),
    ...(await factDifferences(ask)),
    ...(await replayDifferences(ask)),
    ...(await logDifferences(ask)),
    ...(await hourDifferences(ask, uptimes, everyHour)),
    ...(await feedDifferences(ask, received)),
  ];
}

async function predictionDifferences(ask: Ask, memory: Memory, answered: readonly Accepted[]): Promise<string[]> {
  const rows = await ask<Stored>(`
    select id::float8, agent_id as "agentId", round_id as "roundId", prediction, confidence,
      to_char(submitted_at, 'YYYY-MM-DD"T"HH24:MI:SS') as "submittedAt", idempotency_key as "idempotencyKey"
    from predictions`);
  const stored = new Map(rows.map((row) => [row.id, row]));
  const lost = answered
    .filter((accepted) => !isSame(accepted, stored.get(accepted.id)))
    .map(
      (accepted) => `prediction ${accepted.id}: answered ${text(accepted)}, stored ${text(stored.get(accepted.id))}`,
    );
  const strange = rows
    .filter((row) => !memory.accepted.has(row.id))
    .filter((row) => {
      const offer = memory.unanswered.get(offerKey(row));
      return offer?.prediction !== row.prediction || offer.confidence !== row.confidence;
    })
    .map((row) => `prediction ${row.id}: stored ${text(row)}, which nobody was told of or may have lost the answer to`);
  return [...lost, ...strange];
}

function isSame(accepted: Accepted, stored: Stored | undefined): boolean {
  return stored !== undefined && text(accepted) === text({ ...stored, idempotencyKey: undefined });
}

async function agentDifferences(ask: Ask, registered: Memory['registered']): Promise<string[]> {
  const rows = await ask<{ id: number; name: string }>('select id, name from agents');
  const stored = new Map(rows.map(({ id, name }) => [id, name]));
  return registered
    .filter(({ id, name }) => stored.get(id) !== name)
    .map(({ id, name }) => `agent ${id}: answered ${name}, stored ${stored.get(id)}`);
}

/** Lines whose events are forgotten meanwhile are not looked at. */
async function feedDifferences(
  ask: Ask,
  received: readonly { readonly name: string; readonly lines: readonly string[] }[],
): Promise<string[]> {
  const rows = await ask<{ seq: number; line: string }>(
    `select seq, seq || ' ' || kind || ' ' || coalesce(round_id::text, 'null') as line from events`,
  );
  const stored = new Map(rows.map(({ seq, line }) => [seq, line]));
  const oldest = Math.min(...stored.keys(), Number.POSITIVE_INFINITY);
  return received.flatMap(({ name, lines }) =>
    lines
      .map((line) => ({ line, seq: Number.parseInt(line, 10) }))
      .filter(({ line, seq }) => seq >= oldest && stored.get(seq) !== line)
      .map(({ line, seq }) => `${name}: received ${line}, stored ${stored.get(seq)}`),
  );
}

function text(value: unknown): string {
  return JSON.stringify(value);
}

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { OrderedPlace } from '../../src/entities/ordered-board.ts';
import type { Period } from '../../src/rules/windows.ts';

export interface FoundAgent {
  readonly id: number;
  readonly name: string;
  readonly nameKey: string;
  readonly mode: string;
}

/** Its sums by the names of its columns' properties, such as `alltimePoints`. */
export type FoundStanding = Readonly<Record<string, number | string>>;

export interface FoundRound {
  readonly id: number;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly status: string;
  readonly question: string;
  readonly questionType: string;
  readonly outcome: string | null;
}

/** A row that belongs to a round, with the columns by which some of them are ordered. */
export interface OfRound {
  readonly roundId: number;
  readonly position: number;
  readonly hourStart: Date;
  readonly asset: string;
  readonly source: string;
}

export interface FoundPrediction {
  readonly id: number;
  readonly agentId: number;
  readonly roundId: number;
  readonly prediction: string;
  readonly confidence: number;
}

export interface FoundScore {
  readonly agentId: number;
  readonly roundId: number;
  readonly place: number;
  readonly isCorrect: boolean;
  readonly edgeMillionths: number | null;
  readonly contributionBillionths: number | null;
  readonly peerMillionths: number | null;
  readonly arenaEdgeMillionths: number | null;
  readonly standingEdgeMillionths: number | null;
}

export interface FoundBoard {
  readonly period: Period;
  readonly orderBy: string;
  readonly minRounds: number;
  readonly resolvedRounds: number;
  readonly updatedAt: Date;
  readonly places: readonly OrderedPlace[];
  readonly surePlaces: Readonly<Record<string, object>>;
}

/** The tables that nested documents are read from. */
export interface Tables {
  readonly agents: readonly FoundAgent[];
  readonly standings: readonly FoundStanding[];
  readonly rounds: readonly FoundRound[];
  readonly roundAssets: readonly OfRound[];
  readonly candles: readonly OfRound[];
  readonly agreedCandles: readonly OfRound[];
  readonly predictions: readonly FoundPrediction[];
  readonly scores: readonly FoundScore[];
  readonly boardPlaces: readonly { period: string; position: number; rank: number; agentId: number }[];
  readonly orderedBoards: readonly FoundBoard[];
  readonly kindBoards: readonly (Pick<FoundBoard, 'period' | 'orderBy' | 'minRounds' | 'updatedAt' | 'places'> & {
    kind: string;
  })[];
  readonly earlierRanks: readonly { period: string; orderBy: string; ranks: Readonly<Record<string, number>> }[];
  readonly recentPoints: readonly { agentId: number; points: readonly number[] }[];
  readonly platform: readonly { boardsUpdatedAt: Date; resolvedRounds: number }[];
}

const TABLES = [
  'agents',
  'standings',
  'rounds',
  'round_assets',
  'candles',
  'agreed_candles',
  'predictions',
  'scores',
  'board_places',
  'ordered_boards',
  'kind_boards',
  'earlier_ranks',
  'recent_points',
  'platform',
];

/** All of their rows, as the driver reads them: times as dates, exact decimals as text. */
export async function readTables(em: SqlEntityManager): Promise<Tables> {
  const found: Tables = Object.create({});
  for (const table of TABLES) {
    const { rows } = await sql<object>`select * from ${sql.ref(table)}`.execute(em.getKysely());
    Object.assign(found, { [renamed(table)]: rows.map(withProperties) });
  }
  return found;
}

function withProperties(row: object) {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [renamed(column), value]));
}

function renamed(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

import { hash } from 'node:crypto';

import { inUnits, UNITS, unitsOf } from '../../rules/payoffs.ts';
import { digestOf, forecastDigest, inBillionths } from '../../transparency/leaves.ts';
import type { FrozenBoard } from '../boards/frozen-boards.ts';
import type { ReadRound } from '../published/history.ts';
import type { EvidenceCandle, PublishedForecast } from '../published/round-details.ts';

/* The digests of docs/log.md, of published values; null for no lines. */

type Figure = string | number | null;

function digestOfLines(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : digestOf(lines.map((line) => `${line}\n`).join(''));
}

function lineOf(figures: readonly Figure[]): string {
  return figures.map((figure) => figure ?? '-').join(' ');
}

export function evidenceDigest(candles: readonly EvidenceCandle[]): string | null {
  const keyed = candles.map(({ symbol, source, hourStart, open, high, low, close, volume, bodyHash, counted }) => {
    const hour = hourStart.getTime();
    const figures = [symbol, source, hour, open, high, low, close, volume, bodyHash, counted ? 1 : 0];
    return { key: `${symbol} ${source} ${String(hour).padStart(15, '0')}`, line: lineOf(figures) };
  });
  const sorted = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return digestOfLines(sorted.map(({ line }) => line));
}

/** Without streak bonuses, which an amendment of another round changes. */
export function scoresDigest({ predictions, details }: ReadRound): string | null {
  const results = new Map(details.results.map((result) => [result.id, result]));
  const lines = predictions
    .toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0))
    .map(({ id, agent_id: agentId, place, is_correct: isCorrect, score, arena_points: points, standing }) => {
      const result = results.get(id);
      const edge = unitsOf(result?.edge, UNITS.edge);
      const contribution = unitsOf(result?.contribution, UNITS.contribution);
      const peer = unitsOf(result?.peerScore, UNITS.peer);
      const arenaEdge = unitsOf(result?.arenaEdge, UNITS.edge);
      const edges = standing === 1 ? [null, edge] : [edge, null];
      const figures = [place, agentId, isCorrect, score, points, edges[0], contribution, peer, arenaEdge, edges[1]];
      return `{${figures.map((figure) => figure ?? 'NULL').join(',')}}`;
    });
  return digestOfLines(lines);
}

export function forecastScoresDigest(forecasts: readonly PublishedForecast[]): string | null {
  const scored = forecasts.toSorted((one, other) => one.minute - other.minute);
  return digestOfLines(
    scored.flatMap(({ minute, brier }) => (brier === null ? [] : [lineOf([minute, inBillionths(brier)])])),
  );
}

export function publishedForecastDigest(forecast: PublishedForecast, salt: string): string {
  const { probabilities, price, candidates, priceWeight } = forecast;
  const said = [price, ...candidates.map((one) => one.probabilities)].flat();
  const weights = [priceWeight, ...candidates.map(({ weight }) => weight)];
  return forecastDigest({ probabilities, said, weights }, salt);
}

export function picksDigest(salt: string, hashes: readonly Buffer[]): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${salt}\n`), ...hashes]));
}

export function boardDigest({ rankings }: FrozenBoard): string | null {
  return digestOfLines(
    rankings.map((row) => {
      const { agentId, rank, totalPoints, totalArenaPoints, simPnlTotal, totalWins, totalCompetitions: n } = row;
      const edge = row.edge ?? { n: 0, mean: 0 };
      const sums = [inUnits(row.brier * n, 10_000), edge.n, inUnits(edge.mean * edge.n, UNITS.edge)];
      const cents = inUnits(simPnlTotal, 100);
      return lineOf([rank, agentId, totalPoints, totalArenaPoints, cents, totalWins, n, row.bestStreak, ...sums]);
    }),
  );
}

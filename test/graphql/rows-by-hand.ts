import { PAGE_SIZES } from '../../src/limits.ts';
import { type AgentPageRequest, agentsPageOf } from '../../src/reads/agents.ts';
import type { Key } from '../../src/reads/cursors.ts';
import { pageSize } from '../../src/reads/paging.ts';
import {
  type AgentPredictionsRequest,
  type AllPredictionsRequest,
  agentPageOf,
  roundPageOf,
  type RoundPredictionsRequest,
  wholePageOf,
} from '../../src/reads/prediction-pages.ts';
import { type RoundFilter, type RoundPageRequest, roundsPageOf } from '../../src/reads/rounds.ts';
import type { QueryLeaderboardArgs } from '../../src/resolvers/schema-types.ts';
import type { PredictionFilter } from '../../src/reads/prediction-filter.ts';
import { keptMinRounds } from '../../src/rules/board-orders.ts';
import { keptOfKind, requestedKind, usualMinRounds } from '../../src/rules/kinds.ts';
import { DomainError, wholeNumberWithin } from '../../src/rules/errors.ts';
import { PERIODS } from '../../src/rules/windows.ts';
import { inOrder, paged } from './sorted-rows.ts';
import type { FoundAgent, FoundRound, OfRound, Tables } from './tables.ts';

/*
 * Rows as nested documents show them, by whole tables that are searched, sorted and cut in memory: how they are read in one
 * statement has no part in it. Of the service it takes what lists refuse, and how a place in a list is written.
 */

/** The rows of these tables. */
export function rowsByHand(tables: Tables, now: Date) {
  const { scores } = tables;
  const rounds = inOrder(tables.rounds, ({ startTime }) => [startTime]).map((one, place, all) => {
    const sealed = tables.logRecords.find(({ kind, roundId }) => kind === 'closed' && roundId === one.id);
    const neighbours = { previousId: all[place - 1]?.id ?? null, nextId: all[place + 1]?.id ?? null };
    return { ...one, ...neighbours, sealedAt: sealed?.at ?? null };
  });
  const round = (id: number) => rounds.find((one) => one.id === id);
  const agents = tables.agents.map((agent) => shownAgent(agent, tables));
  const predictions = tables.predictions.map((one) => {
    const score = scores.find(({ roundId, agentId }) => roundId === one.roundId && agentId === one.agentId);
    const { question, questionType, outcome }: Partial<FoundRound> = round(one.roundId) ?? {};
    const { contributionBillionths: contribution, peerMillionths: peerScore } = score ?? {};
    const edge = score?.edgeMillionths ?? score?.standingEdgeMillionths;
    const arenaEdge = score?.arenaEdgeMillionths;
    const agentName = agents.find(({ id }) => id === one.agentId)?.name;
    return { ...score, ...one, edge, arenaEdge, contribution, peerScore, question, questionType, outcome, agentName };
  });
  const isRight = (one: (typeof predictions)[number], filter: PredictionFilter) =>
    (filter.isCorrect == null || one.isCorrect === filter.isCorrect) &&
    (filter.minConfidence == null || one.confidence >= filter.minConfidence) &&
    (filter.maxConfidence == null || one.confidence <= filter.maxConfidence) &&
    (filter.prediction == null || one.prediction === filter.prediction);
  const isIn = (one: FoundRound | undefined, { status, questionType, asset, from, to }: RoundFilter) =>
    one !== undefined &&
    (status == null || status.some((name) => name === one.status)) &&
    (questionType == null || questionType.some((name) => name === one.questionType)) &&
    (asset == null || tables.roundAssets.some((of) => of.roundId === one.id && of.asset === asset)) &&
    (from == null || one.startTime >= from) &&
    (to == null || one.startTime < to);
  const ofAgent = (id: number, args: AgentPredictionsRequest) => {
    const found = predictions.filter(
      (one) => one.agentId === id && isRight(one, args) && isIn(round(one.roundId), args),
    );
    return paged(agentPageOf(args), found, ({ roundId }) => [roundId]);
  };
  const entries = (id: number, { limit, after }: Slice) => {
    const found = predictions.filter((one) => one.roundId === id && one.id > (after ?? 0));
    return inOrder(found, (one) => [one.id]).slice(0, pageSize('limit', limit, PAGE_SIZES.entries));
  };
  return {
    agents,
    round,
    currentRound: () =>
      rounds.find(({ status, startTime, endTime }) => status === 'active' && startTime <= now && now < endTime),
    nextRound: () =>
      inOrder(
        rounds.filter(({ startTime }) => startTime > now),
        ({ startTime }) => [startTime],
      )[0],
    agent: (id: number) => agents.find((one) => one.id === id),
    agentNamed: ({ id, name }: { readonly id?: number; readonly name?: string }) => {
      if ((id === undefined) === (name === undefined))
        throw new DomainError('bad_request', 'agent takes an id or a name.');
      return agents.find((one) => one.id === id || one.nameKey === name?.toLowerCase());
    },
    board: (args: Partial<QueryLeaderboardArgs>) => shownBoard(args, tables, agents),
    rounds: (args: RoundPageRequest) => {
      const hasEnded = ({ endTime }: FoundRound) => args.ended == null || args.ended === endTime <= now;
      const found = rounds.filter((one) => isIn(one, args) && hasEnded(one));
      return paged(roundsPageOf(args, now), found, ({ startTime }) => [startTime]);
    },
    agentsFor: (args: AgentPageRequest) => {
      const { mode, tier, ids, nameStartsWith } = args;
      const found = agents.filter(
        (one) =>
          (mode == null || one.mode === mode) &&
          (tier == null || tier.some((name) => name === one.tier)) &&
          (ids == null || ids.includes(one.id)) &&
          (nameStartsWith == null || one.nameKey?.startsWith(nameStartsWith.toLowerCase())),
      );
      return paged(agentsPageOf(args, now), found, ({ id, nameKey, points }) => {
        if (args.orderBy === 'NAME') return [nameKey ?? ''];
        return args.orderBy === 'POINTS' ? [points, id] : [id];
      });
    },
    predictionsOfAgent: ofAgent,
    predictionsOfRound: (id: number, args: RoundPredictionsRequest) => {
      const isByPlace = args.orderBy === 'PLACE' || args.orderBy === 'PLACE_LAST';
      const isShown = (one: (typeof predictions)[number]) => !isByPlace || one.place !== undefined;
      const found = predictions.filter((one) => one.roundId === id && isRight(one, args) && isShown(one));
      return paged(roundPageOf(args), found, (one) => [isByPlace ? (one.place ?? 0) : one.id]);
    },
    predictionsOfAll: (args: AllPredictionsRequest) => {
      if (args.agentId != null) return ofAgent(args.agentId, args);
      const found = predictions.filter((one) => isRight(one, args) && isIn(round(one.roundId), args));
      return paged(wholePageOf(args, now), found, ({ roundId, id }) => [roundId, id]);
    },
    entries,
    /** Undefined where there are none. */
    results: ({ id, status }: FoundRound, slice: Slice) => {
      const { limit, after } = slice;
      if (status === 'void') return entries(id, slice);
      const places = predictions.filter((one) => one.roundId === id && one.place !== undefined);
      const behind = after == null ? 0 : places.find((one) => one.id === after)?.place;
      const most = pageSize('limit', limit, PAGE_SIZES.entries);
      if (status !== 'resolved' || behind === undefined) return undefined;
      return inOrder(places, ({ place = 0 }) => [place])
        .filter(({ place = 0 }) => place > behind)
        .slice(0, most);
    },
    ofRound: (
      from: 'roundAssets' | 'candles' | 'agreedCandles',
      id: number,
      keysOf: (row: OfRound) => readonly Key[],
    ) =>
      inOrder(
        tables[from].filter(({ roundId }) => roundId === id),
        keysOf,
      ),
    standing: (id: number, period: string) => shownWindow(id, period, tables),
  };
}

interface Slice {
  readonly limit?: number | null;
  readonly after?: number | null;
}

function shownAgent(agent: FoundAgent, tables: Tables) {
  const standing = tables.standings.find((one) => one['agentId'] === agent.id) ?? {};
  return {
    ...shownWindow(agent.id, 'alltime', tables),
    monthlyPnlUsd: standing['monthlyPnlUsd'] ?? 0,
    weeklyPnlUsd: standing['weeklyPnlUsd'] ?? 0,
    currentStreak: standing['currentStreak'] ?? 0,
    bestStreak: standing['bestStreak'] ?? 0,
    tier: standing['tier'] ?? 'bronze',
    medianMinute: medianMinute(agent.id, tables),
    ...agent,
  };
}

/** The sums of an agent in a window, with its place there. */
function shownWindow(agentId: number, period: string, { standings, orderedBoards, platform }: Tables) {
  const sumOf = (of: (typeof standings)[number] | undefined, name: string) =>
    Number(of?.[`${period}${name.charAt(0).toUpperCase()}${name.slice(1)}`] ?? 0);
  const own = standings.find((one) => one['agentId'] === agentId);
  const sum = (name: string) => sumOf(own, name);
  const above = standings.filter((one) => sumOf(one, 'competitions') > 0 && sumOf(one, 'points') > sum('points'));
  const board = orderedBoards.find(
    (one) => one.period === period && one.orderBy === 'POINTS' && one.minRounds === 0 && isCurrent(one.resolvedRounds),
  );
  function isCurrent(resolved: number) {
    return resolved === platform[0]?.resolvedRounds;
  }
  return {
    period: PERIODS.find((one) => one === period),
    points: sum('points'),
    arenaPoints: sum('arenaPoints'),
    wins: sum('wins'),
    competitions: sum('competitions'),
    pnlUsd: sum('pnlUsd'),
    brierSum: sum('brierSum'),
    referenceBrierSum: sum('referenceBrierSum'),
    extendedSums: {
      pointsSquares: sum('pointsSquareSum'),
      skillSquares: sum('skillSquareSum'),
      edge: sum('edgeSum'),
      edgeSquares: sum('edgeSquareSum'),
      withoutEdge: sum('withoutEdge'),
      contribution: sum('contributionSum'),
      peer: sum('peerSum'),
      choices4: sum('choices4'),
      choices8: sum('choices8'),
      chancePnl: sum('chancePnlSum'),
      chanceVariance: sum('chancePnlVariance'),
      arenaEdges: sum('arenaEdges'),
      arenaEdge: sum('arenaEdgeSum'),
      arenaEdgeSquares: sum('arenaEdgeSquareSum'),
    },
    rank: sum('competitions') > 0 ? above.length + 1 : null,
    rankInterval: board?.surePlaces[agentId] ?? null,
  };
}

/** The first rows of a board: of the places that are kept, with the figures that agents have. */
function shownBoard(
  {
    period: window,
    orderBy,
    minRounds: givenMinRounds,
    limit,
    after,
    questionType,
    asset,
  }: Partial<QueryLeaderboardArgs>,
  tables: Tables,
  agents: readonly ReturnType<typeof shownAgent>[],
) {
  const period = window ?? 'weekly';
  const order = orderBy ?? 'POINTS';
  const kind = requestedKind(questionType, asset);
  const usual = usualMinRounds(order, kind, period);
  const minRounds = givenMinRounds ?? usual;
  const most = pageSize('limit', limit, PAGE_SIZES.leaderboard);
  const begin = wholeNumberWithin('after', after ?? 0, { min: 0, max: 10_000_000 });
  const part = <Place>(places: readonly Place[]) => places.slice(begin, begin + most);
  const [platform] = tables.platform;
  const live = tables.orderedBoards.find(
    (one) => one.period === period && one.orderBy === order && one.minRounds === minRounds,
  );
  const rankIntervalsAt = kind === null && live && Object.keys(live.surePlaces).length > 0 ? live.updatedAt : null;
  const shown = { kind, period, orderBy: order, minRounds, rankIntervalsAt, updatedAt: platform?.boardsUpdatedAt };
  const earlier = tables.earlierRanks.find((one) => one.period === period && one.orderBy === order);
  const present = (agentId: number) => {
    const { name, currentStreak, bestStreak, tier } = agents.find(({ id }) => id === agentId) ?? {};
    return {
      agentId,
      name,
      currentStreak,
      bestStreak,
      tier,
      earlierRank: kind === null && minRounds === usual ? (earlier?.ranks[agentId] ?? null) : null,
      medianMinute: medianMinute(agentId, tables),
      recentPoints: tables.recentPoints.find((one) => one.agentId === agentId)?.points ?? [],
    };
  };
  if (kind === null && order === 'POINTS' && minRounds === 0) {
    const places = inOrder(
      tables.boardPlaces.filter((one) => one.period === period),
      ({ position }) => [position],
    );
    const rankings = part(places).map(({ rank, agentId }) => ({
      ...shownWindow(agentId, period, tables),
      rank,
      rankInterval: live?.surePlaces[agentId] ?? null,
      ...present(agentId),
    }));
    return { ...shown, places: places.length, rankings };
  }
  const ofAll = tables.orderedBoards.find(
    (one) => one.period === period && one.orderBy === order && one.minRounds === keptMinRounds(order, minRounds),
  );
  const kept = keptOfKind({ period, orderBy: order, minRounds });
  const ofKind = tables.kindBoards.find(
    (one) => one.kind === kind && one.period === period && one.orderBy === order && one.minRounds === kept,
  );
  const board = kind === null ? ofAll : ofKind;
  const listed = (board?.places ?? []).filter(({ competitions }) => competitions >= minRounds);
  const rankings = part(listed).map((place) => ({
    ...place,
    ...present(place.agentId),
    // Those who shared a rank on the whole board still do.
    rank: listed.findIndex((other) => other.rank === place.rank) + 1,
    rankInterval: kind === null && minRounds === usual ? (ofAll?.surePlaces[place.agentId] ?? null) : null,
  }));
  return { ...shown, updatedAt: board?.updatedAt ?? shown.updatedAt, places: listed.length, rankings };
}

/** Of the last 30 decided answers, those that the agent gave itself. */
function medianMinute(agent: number, { scores, predictions }: Tables): number | null {
  const rounds = inOrder(
    scores.filter(({ agentId }) => agentId === agent),
    ({ roundId }) => [-roundId],
  ).slice(0, 30);
  const minutes = predictions
    .filter((one) => one.agentId === agent && !one.standing && rounds.some(({ roundId }) => roundId === one.roundId))
    .map(({ submittedAt }) => submittedAt.getUTCMinutes())
    .toSorted((one, other) => one - other);
  return minutes[Math.ceil(minutes.length / 2) - 1] ?? null;
}

import { archiveOf, archivesPage } from '../reads/archives.ts';
import { estimate } from '../rules/breakdowns.ts';
import { brierFigures } from '../rules/calibration.ts';
import { winRatePct } from '../rules/ranking.ts';
import type { ArchivedRowResolvers, QueryResolvers } from './schema-types.ts';

export const archiveQueries = {
  leaderboardArchive: (_root, { period }, { read }) => read((em) => archiveOf(em, period)),
  leaderboardArchives: (_root, asked, { read }) => read((em) => archivesPage(em, asked)),
} satisfies QueryResolvers;

export const archivedRowFields = {
  name: async ({ agentId }, _args, { loaders }) => (await loaders.agent.load(agentId)).name,
  agent: ({ agentId }, _args, { loaders }) => loaders.agent.load(agentId),
  totalPoints: ({ points }) => points,
  totalArenaPoints: ({ arenaPoints }) => arenaPoints,
  simPnlTotal: ({ pnlUsd }) => Number(pnlUsd),
  winRate: ({ wins, competitions }) => winRatePct(wins, competitions),
  totalCompetitions: ({ competitions }) => competitions,
  totalWins: ({ wins }) => wins,
  brier: ({ competitions, brierSum }) => Number(brierSum) / competitions,
  skill: ({ competitions, brierSum, referenceBrierSum }) =>
    brierFigures(competitions, Number(brierSum), Number(referenceBrierSum)).skill,
  edge: ({ edgeN, edgeSum, edgeSquares }) =>
    estimate({ n: edgeN, sum: Number(edgeSum), squareSum: Number(edgeSquares) }),
} satisfies ArchivedRowResolvers;

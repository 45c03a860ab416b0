import { z } from 'zod';

import { isAsset } from '../../rules/assets.ts';
import { type Kind, KINDS, kindsOf } from '../../rules/kinds.ts';
import { luckOfWins } from '../../rules/statistics/luck.ts';
import type { Period } from '../../rules/windows.ts';
import { type AddedPrediction, addTo, noSums, type Sums } from './agent-records.ts';
import { BOARD_ROWS, sumsShown } from './agent-figures.ts';
import type { DecidedRound } from '../published/decided-round.ts';
import { edgeShown } from './edge-sums.ts';
import { RECORD, RECORD_READ } from './forecast-record.ts';
import type { Findings } from '../findings.ts';
import { INSTANT } from '../published/instants.ts';
import type { ServiceClient } from '../published/service-client.ts';

/** Boards cost budget: only the shortest window with many rounds of a kind, and the longest. */
const WINDOWS = ['weekly', 'alltime'] as const satisfies readonly Period[];

const BOARD = z.object({
  updatedAt: INSTANT,
  rankings: z.array(z.intersection(z.object({ agentId: z.int() }), z.record(z.string(), z.unknown()))),
});
const BOARDS = z.object({ weekly: BOARD, alltime: BOARD, record: RECORD_READ });

type PublishedKindBoards = ReadonlyMap<Kind, z.infer<typeof BOARDS>>;

export async function readKindBoards(client: ServiceClient): Promise<PublishedKindBoards> {
  const found = new Map<Kind, z.infer<typeof BOARDS>>();
  for (const kind of KINDS) {
    const argument = isAsset(kind) ? `asset: "${kind}"` : `questionType: ${kind}`;
    const boards = WINDOWS.map(
      (
        period,
      ) => `${period}: leaderboard(period: ${period}, ${argument}, orderBy: EDGE, minRounds: 0, limit: ${BOARD_ROWS}) {
        updatedAt rankings { rank agentId n value totalPoints totalArenaPoints totalCompetitions totalWins winRate simPnlTotal
          edge { mean low high n } luck { wins } } }`,
    );
    const record = `record: forecastRecord(${argument}) ${RECORD}`;
    found.set(kind, await client.query(`{ ${boards.join('\n')} ${record} }`, {}, BOARDS));
  }
  return found;
}

interface KindRecord {
  readonly sums: Sums;
  /** For luck: its own (not standing) predictions by number of choices, and their wins. */
  readonly choiceCounts: Map<number, number>;
  ownWins: number;
}

export function newKindRecords() {
  const records = new Map<string, Map<number, KindRecord>>();
  return {
    add(round: DecidedRound, scored: AddedPrediction, windows: readonly Period[]): void {
      for (const kind of kindsOf({ questionType: round.question_type, subject: round.subject })) {
        for (const window of windows) {
          const key = `${window} ${kind}`;
          const ofKind = records.get(key) ?? new Map<number, KindRecord>();
          records.set(key, ofKind);
          const record = ofKind.get(scored.agentId) ?? { sums: noSums(), choiceCounts: new Map(), ownWins: 0 };
          ofKind.set(scored.agentId, record);
          addTo(record.sums, scored);
          if (scored.isStanding) continue;
          record.ownWins += Number(scored.correct);
          const count = round.choices.length;
          record.choiceCounts.set(count, (record.choiceCounts.get(count) ?? 0) + 1);
        }
      }
    },
    check(published: PublishedKindBoards, updatedAt: Date, findings: Findings): void {
      for (const [kind, boards] of published) {
        for (const window of WINDOWS) {
          const { updatedAt: madeAt, rankings } = boards[window];
          const place = `${window} board of ${kind}`;
          if (madeAt.getTime() !== updatedAt.getTime()) {
            findings.note(`${place} does not include the newest round yet: not checked.`);
            continue;
          }
          const rows = boardOf(records.get(`${window} ${kind}`) ?? new Map());
          findings.rows(place, [rankings, rows], ({ agentId }) => `agent ${agentId}`);
        }
      }
    },
  };
}

function boardOf(records: ReadonlyMap<number, KindRecord>) {
  const meanOf = ({ sums: { edges } }: KindRecord): number => Number(edges.sum) / edges.n;
  const there = [...records].filter(([, { sums }]) => sums.edges.n > 0);
  const sorted = there.toSorted(
    ([one, left], [other, right]) => meanOf(right) - meanOf(left) || right.sums.wins - left.sums.wins || one - other,
  );
  return sorted.slice(0, BOARD_ROWS).map(([agentId, record]) => {
    const edge = edgeShown(record.sums.edges);
    const counts = [...record.choiceCounts].toSorted(([one], [other]) => one - other);
    return {
      agentId,
      rank: 1 + sorted.findIndex(([, other]) => meanOf(other) === meanOf(record)),
      n: record.sums.edges.n,
      value: edge?.mean,
      ...sumsShown(record.sums),
      edge,
      luck: {
        wins: luckOfWins(
          record.ownWins,
          counts.map(([choiceCount, n]) => ({ choiceCount, n })),
        ),
      },
    };
  });
}

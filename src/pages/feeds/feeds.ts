import type { AgentFeedQuery, ChangesFeedQuery, RoundsFeedQuery } from '../../../dashboard/documents/feeds.ts';
import { agentPath, roundPath } from '../../../dashboard/addresses.ts';
import { rightShare } from '../../../dashboard/answered.ts';
import { counted, signed, signedUsd } from '../../../dashboard/figures.ts';
import { plainQuestion } from '../../../dashboard/plain-question.ts';
import type { Feed } from './atom.ts';

type AgentOfFeed = NonNullable<AgentFeedQuery['agent']>;
type FeedRound = Omit<AgentOfFeed['predictions']['nodes'][number]['round'], 'totalEntries'>;

export const ROUNDS_FEED = '/feeds/rounds.atom';
export const CHANGES_FEED = '/feeds/changes.atom';

export function agentFeedPath(name: string): string {
  return `/feeds/agents/${encodeURIComponent(name)}.atom`;
}

/** The service's first key, which no rotation changes. */
function serviceOf({ serviceKeys }: Pick<RoundsFeedQuery, 'serviceKeys'>): string {
  return serviceKeys.keys.at(-1)?.publicKey ?? '';
}

export function roundsFeed({ rounds, ...about }: RoundsFeedQuery): Feed {
  return {
    service: serviceOf(about),
    path: ROUNDS_FEED,
    page: '/rounds',
    title: 'Decided rounds · Hourcast',
    subtitle: about.health.warning ?? null,
    entries: rounds.nodes.map((round) => ({
      path: roundPath(round.id),
      title: `${round.outcome ?? 'Void'}: ${plainQuestion(round)}`,
      text: `${hourOf(round)} ${endOf(round)}`,
      ...timesOf(round),
    })),
  };
}

/** An entry a version. */
export function changesFeed({ changes, ...about }: ChangesFeedQuery): Feed {
  return {
    service: serviceOf(about),
    path: CHANGES_FEED,
    page: '/api/changes',
    title: 'Changes of Hourcast',
    subtitle: null,
    entries: [...Map.groupBy(changes, ({ version }) => version)].map(([version, all]) => {
      const day = `${all[0]?.date}T00:00:00.000Z`;
      const text = all.map((change) => `${change.kind}: ${change.text}`).join('\n');
      return { path: `/api/changes#${version}`, title: `Version ${version}`, text, published: day, updated: day };
    }),
  };
}

function endOf(round: RoundsFeedQuery['rounds']['nodes'][number]): string {
  const { outcome, voidNote, crowd, totalEntries } = round;
  if (outcome == null) return `No outcome: nobody’s totals moved. ${voidNote ?? ''}`.trim();
  const share = crowd && crowd.n > 0 ? `, ${rightShare(round)} right` : '';
  return `The answer was ${outcome}. ${counted(totalEntries, 'prediction')}${share}.`;
}

export function agentFeed({ id, name, predictions }: AgentOfFeed, about: Omit<AgentFeedQuery, 'agent'>): Feed {
  return {
    service: serviceOf(about),
    path: agentFeedPath(name),
    page: agentPath(id),
    title: `${name} · Hourcast`,
    subtitle: about.health.warning ?? null,
    entries: predictions.nodes.map(({ round, ...made }) => ({
      path: `${roundPath(round.id)}?agent=${id}`,
      title: `${made.isCorrect === 1 ? 'Right' : 'Wrong'}: ${plainQuestion(round)}`,
      text: [`${hourOf(round)} ${resultOf(made, round)}`, ...(made.rationale == null ? [] : [made.rationale])].join(
        '\n\n',
      ),
      ...timesOf(round),
    })),
  };
}

type FeedPrediction = Omit<AgentOfFeed['predictions']['nodes'][number], 'round'>;

function resultOf(
  made: FeedPrediction,
  { outcome, totalEntries }: { outcome?: string | null; totalEntries: number },
): string {
  const { prediction, confidence, standing, score, streakBonus, place, pnlUsd } = made;
  const given = `${standing ? 'Standing answer' : 'Answer'} ${prediction} at ${confidence} %; ${outcome} was right.`;
  const earned = `${signed((score ?? 0) + (streakBonus ?? 0))} points, ${signedUsd(pnlUsd ?? 0)}`;
  return `${given} Place ${place} of ${totalEntries}: ${earned}.`;
}

function hourOf({ startTime, endTime }: FeedRound): string {
  return `${startTime.slice(0, 10)}, ${startTime.slice(11, 16)} to ${endTime.slice(11, 16)} UTC.`;
}

/** An amendment changes the entry. */
function timesOf({ decidedAt, endTime, amendments }: FeedRound): { published: string; updated: string } {
  const published = decidedAt ?? endTime;
  return { published, updated: amendments.at(-1)?.amendedAt ?? published };
}

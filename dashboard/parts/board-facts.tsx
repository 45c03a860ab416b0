import type { HoldersQuery } from '../documents/boards.ts';
import { clockTime, day, decimal, whole } from '../figures.ts';

/** Counts of agents and of each tier, benchmarks of the edge, and the moment of the board. */
export function BoardFacts({ of: data, updatedAt }: { readonly of: HoldersQuery | null; readonly updatedAt: string }) {
  const { totalAgents = 0, credentialHolders: holders } = data?.stats ?? {};
  const counts = [
    [totalAgents, 'agents'],
    [holders?.silver, 'silver'],
    [holders?.gold, 'gold'],
    [holders?.diamond, 'diamond'],
  ] as const;
  const benchmarks = data?.leaderboard.benchmarks.filter(({ edge }) => edge) ?? [];
  return (
    <>
      {benchmarks.length > 0 && (
        <p class="facts">
          <a href="/forecast">Edge at minute 30</a>
          {benchmarks.map(({ name, edge }) => (
            <span key={name}>
              <b>{decimal(edge?.mean ?? 0)}</b> {name}
            </span>
          ))}
        </p>
      )}
      <p class="facts">
        {counts.map(([count, name]) => (
          <span key={name}>
            <b>{whole(count ?? 0)}</b> {name}
          </span>
        ))}
        <span>
          as of {day(updatedAt)}, {clockTime(updatedAt)} UTC
        </span>
      </p>
    </>
  );
}

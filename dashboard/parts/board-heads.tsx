/** The heads of a board's columns: rank and agent, then `columns`; those that are `wide` show on wide screens alone. */
export function BoardHeads({
  columns,
  hasLines = false,
}: {
  readonly columns: readonly { readonly name: string; readonly wide?: boolean }[];
  /** Whether a small line of each agent's newest rounds stands before them. */
  readonly hasLines?: boolean;
}) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <abbr title="Rank; = where it is shared">#</abbr>
        </th>
        <th scope="col">Agent</th>
        {hasLines && (
          <th scope="col" class="trend">
            <abbr title="Points in the last 30 rounds, added up">30 rounds</abbr>
          </th>
        )}
        {columns.map(({ name, wide = false }) => (
          <th scope="col" class={wide ? 'number wide' : 'number'} key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** `=3` where several share the third rank. */
export function rankText({ rank }: { rank: number }, rows: readonly { readonly rank: number }[]): string {
  return rows.filter((row) => row.rank === rank).length > 1 ? `=${rank}` : String(rank);
}

/** What an agent's record has earned; everybody's first tier needs no mark. */
export function Tier({ tier }: { readonly tier: string }) {
  return tier === 'bronze' ? null : <span class={`tier ${tier}`}>{tier}</span>;
}

export type Look = 'arena' | 'crowd' | 'reference' | 'other';

const MEANINGS: Readonly<Record<Look, string>> = {
  reference: 'Price: what the prices alone say',
  crowd: 'Crowd: the mean of all entries',
  arena: 'Arena: what all agents know together',
  other: 'thin: the crowd on the other answers',
};

interface LegendProps {
  readonly of: readonly { readonly look: Look }[];
  /** Entries are dots. */
  readonly hasDots: boolean;
}

export function Legend({ of, hasDots }: LegendProps) {
  const looks = [...new Set(of.map(({ look }) => look))];
  return (
    <ul class="legend" aria-label="What is drawn">
      {hasDots && (
        <li>
          <svg aria-hidden="true">
            <path class="hour-dots" d="M12 6h0" />
          </svg>
          an entry
        </li>
      )}
      {looks.map((look) => (
        <li key={look}>
          <svg class={`hour-line ${look}`} aria-hidden="true">
            <path d="M0 6H24" />
            {look === 'arena' && <circle cx={12} cy={6} r={3.5} />}
          </svg>
          {MEANINGS[look]}
        </li>
      ))}
    </ul>
  );
}

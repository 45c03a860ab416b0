import { percent, whole } from '../figures.ts';

interface Given {
  readonly answer: string;
  readonly n: number;
}

interface CrowdBarsProps {
  readonly answers: readonly Given[];
  /** The answer of the diagram beside it. */
  readonly chosen: string;
  /** Absent if answers cannot be chosen. */
  readonly choose?: (answer: string) => void;
  /** Null until decided. */
  readonly outcome?: string | null;
}

/** Counts and shares of the answers; with `choose`, one can be selected. */
export function CrowdBars({ answers, chosen, choose, outcome = null }: CrowdBarsProps) {
  const all = answers.reduce((sum, { n }) => sum + n, 0);
  return (
    <div
      class="crowd-bars"
      role={choose ? 'radiogroup' : undefined}
      aria-label={choose ? 'Answer in the diagram' : undefined}
    >
      {answers.map(({ answer, n }) => {
        const inside = (
          <>
            <svg class="bar" aria-hidden="true">
              <rect width={`${(n * 100) / (all || 1)}%`} height="100%" />
            </svg>
            <span class="answer">
              {answer}
              {answer === outcome && <b class="right"> ✓ right</b>}
            </span>
            <span class="share">{all === 0 ? '–' : percent(n / all)}</span>
            <span class="n">{whole(n)}</span>
          </>
        );
        if (!choose) return <div class="crowd-bar">{inside}</div>;
        return (
          <label class="crowd-bar">
            <input type="radio" name="answer" checked={answer === chosen} onChange={() => choose(answer)} />
            {inside}
          </label>
        );
      })}
    </div>
  );
}

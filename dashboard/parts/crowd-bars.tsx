import { percent, whole } from '../figures.ts';

interface Share {
  readonly answer: string;
  readonly n: number;
  readonly share: number | null;
}

interface CrowdBarsProps {
  readonly answers: readonly Share[];
  /** The answer that a diagram beside it is about. */
  readonly chosen: string;
  /** Absent where there is nothing to choose. */
  readonly choose?: (answer: string) => void;
  /** The answer that was right, once that is known. */
  readonly outcome?: string | null;
}

/** How the crowd's picks are shared among the answers; with `choose`, as the choice of one of them. */
export function CrowdBars({ answers, chosen, choose, outcome = null }: CrowdBarsProps) {
  return (
    <div
      class="crowd-bars"
      role={choose ? 'radiogroup' : undefined}
      aria-label={choose ? 'Answer in the diagram' : undefined}
    >
      {answers.map(({ answer, n, share }) => {
        const inside = (
          <>
            <svg class="bar" aria-hidden="true">
              <rect width={`${(share ?? 0) * 100}%`} height="100%" />
            </svg>
            <span class="answer">
              {answer}
              {answer === outcome && <b class="right"> ✓ right</b>}
            </span>
            <span class="share">{share === null ? '–' : percent(share)}</span>
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

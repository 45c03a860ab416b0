import { counted, percent, whole } from '../figures.ts';

interface CrowdBarsProps {
  readonly answers: readonly { readonly answer: string; readonly n: number }[];
  /** The answer of the diagram beside it. */
  readonly chosen: string;
  readonly choose: (answer: string) => void;
  /** Null until decided. */
  readonly outcome?: string | null;
}

/** Counts and shares of the answers, to select one. */
export function CrowdBars({ answers, chosen, choose, outcome = null }: CrowdBarsProps) {
  const all = answers.reduce((sum, { n }) => sum + n, 0);
  return (
    <div class="crowd-bars" role="radiogroup" aria-label="Answer in the diagram">
      {answers.map(({ answer, n }) => {
        const share = all === 0 ? '–' : percent(n / all);
        return (
          <label class="crowd-bar">
            <input
              type="radio"
              name="answer"
              aria-label={`${answer}: ${share}, ${counted(n, 'answer')}`}
              checked={answer === chosen}
              onChange={() => choose(answer)}
            />
            <svg class="bar" aria-hidden="true">
              <rect width={`${(n * 100) / (all || 1)}%`} height="100%" />
            </svg>
            <span class="answer">
              {answer}
              {answer === outcome && <b class="right"> ✓ right</b>}
            </span>
            <span class="share">{share}</span>
            <span class="n">{whole(n)}</span>
          </label>
        );
      })}
    </div>
  );
}

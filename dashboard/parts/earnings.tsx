import { useState } from 'preact/hooks';

import { pnlUsd, scoreOf } from '../../src/rules/scoring.ts';
import { percent, signed, signedUsd } from '../figures.ts';
import { Figures } from './tables.tsx';

interface EarningsProps {
  /** Percent. */
  readonly confidence: number;
  readonly choices: number;
}

/** The result of a right and of a wrong prediction. */
export function Earnings({ confidence, choices }: EarningsProps) {
  const result = (isRight: boolean) =>
    [
      isRight ? 'If right' : 'If wrong',
      `${signed(scoreOf(confidence, isRight))} points`,
      signedUsd(Number(pnlUsd(confidence, choices, isRight))),
    ] as const;
  return <Figures isSmall of={[result(true), result(false)]} />;
}

const CHOICES = [2, 4, 8] as const;

/** Sliders for confidence and belief, and the results. */
export function Calculator() {
  const [confidence, setConfidence] = useState(70);
  const [belief, setBelief] = useState(60);
  const [choices, setChoices] = useState<number>(2);
  const p = belief / 100;
  const expected = (right: number, wrong: number): number => p * right + (1 - p) * wrong;
  const points = expected(scoreOf(confidence, true), scoreOf(confidence, false));
  const usd = expected(Number(pnlUsd(confidence, choices, true)), Number(pnlUsd(confidence, choices, false)));
  return (
    <div class="panel calculator">
      <h3>What would I earn?</h3>
      <Slider label="I say" value={confidence} set={setConfidence} />
      <Slider label="I am right with" value={belief} set={setBelief} />
      <label class="choices">
        <span>Answers to choose from</span>
        <select onChange={(event) => setChoices(Number(event.currentTarget.value))}>
          {CHOICES.map((count) => (
            <option value={count} selected={count === choices}>
              {count}
            </option>
          ))}
        </select>
      </label>
      <Earnings confidence={confidence} choices={choices} />
      <p class="expected" role="status">
        On average <b>{signed(Math.round(points))} points</b> and <b>{signedUsd(usd)}</b> of simulated P&amp;L a round.
        {confidence === belief
          ? ' Nothing earns more P&L than saying what one believes.'
          : ` Said honestly, ${percent(p)}, it would be ${signedUsd(expected(Number(pnlUsd(belief, choices, true)), Number(pnlUsd(belief, choices, false))))}.`}
      </p>
    </div>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly set: (value: number) => void;
}

/** A percentage slider. */
export function Slider({ label, value, set }: SliderProps) {
  return (
    <label class="slider">
      <span>
        {label} <output>{value} %</output>
      </span>
      <input type="range" min={0} max={100} value={value} onInput={(event) => set(Number(event.currentTarget.value))} />
    </label>
  );
}

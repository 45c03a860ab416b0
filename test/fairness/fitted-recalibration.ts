import { withinBounds } from '../../src/rules/bounds.ts';
import { type Recalibration, recalibrated } from '../../src/rules/reference/reference.ts';
import type { Case } from './calibration-table.ts';

const NEUTRAL: Recalibration = { left: 0, over: 0, lean: { left: 0, over: 0 } };

/** What changes one constant, and whether it is a lean. */
const CONSTANTS = [
  { isLean: false, moved: (one: Recalibration, by: number) => ({ ...one, left: one.left + by }) },
  { isLean: false, moved: (one: Recalibration, by: number) => ({ ...one, over: one.over + by }) },
  { isLean: true, moved: (one: Recalibration, by: number) => leaning(one, { left: by, over: 0 }) },
  { isLean: true, moved: (one: Recalibration, by: number) => leaning(one, { left: 0, over: by }) },
] as const;

function leaning({ lean, ...rest }: Recalibration, by: Recalibration['lean']): Recalibration {
  return { ...rest, lean: { left: lean.left + by.left, over: lean.over + by.over } };
}

const STEPS = [0.08, 0.04, 0.02] as const;

/** More cases than these are thinned out: they tell no more than their hours. */
const ENOUGH = 6000;

/** The constants under which the cases are likeliest, to 0.02: one after the other moved for as long as that helps. */
export function fittedTo(cases: readonly Case[], mayLean: boolean): Recalibration {
  const every = Math.ceil(cases.length / ENOUGH);
  const own = cases.filter((one, place) => (one.turn + place) % every === 0);
  const constants = CONSTANTS.filter(({ isLean }) => mayLean || !isLean);
  let best = { at: NEUTRAL, loss: lossOf(own, NEUTRAL) };
  for (const step of STEPS) {
    for (let hasMoved = true; hasMoved;) {
      hasMoved = false;
      for (const { moved } of constants) {
        const tried = [step, -step].map((by) => moved(best.at, by)).map((at) => ({ at, loss: lossOf(own, at) }));
        const better = tried.find(({ loss }) => loss < best.loss - 1e-9);
        if (better === undefined) continue;
        best = better;
        hasMoved = true;
      }
    }
  }
  return best.at;
}

/** The model's probabilities, recalibrated and kept within the bounds; `left` is the share of the hour that is left. */
export function said(model: readonly number[], recalibration: Recalibration, left: number): readonly number[] {
  return withinBounds(recalibrated(model, recalibration, left));
}

/** Mean of -ln(what was said of the answer that won). */
export function lossOf(cases: readonly Case[], recalibration: Recalibration): number {
  const sum = cases.reduce(
    (total, { model, left, winner }) => total - Math.log(said(model, recalibration, left)[winner] ?? 0),
    0,
  );
  return sum / cases.length;
}

import { roundPath } from '../../addresses.ts';
import type { AgentPageQuery } from '../../documents/agent.ts';
import { clockTime, day, signed, signedUsd } from '../figures.ts';
import { typeName } from './round-list.tsx';
import { Scroll } from './scroll.tsx';

type Predictions = NonNullable<AgentPageQuery['agent']>['predictions']['nodes'];

const SHOWN = 20;
const EXTREMES = 3;

/** An agent's newest predictions, the best and worst of the last hundred first. */
export function AgentRounds({ predictions }: { readonly predictions: Predictions }) {
  if (predictions.length === 0) return null;
  const scored = predictions
    .filter(({ pnlUsd }) => pnlUsd != null)
    .toSorted((one, other) => (other.pnlUsd ?? 0) - (one.pnlUsd ?? 0));
  const extremes = Math.min(EXTREMES, Math.floor(scored.length / 2));
  return (
    <>
      {extremes > 0 && (
        <section class="panel best" aria-label="Best and worst rounds">
          <Extremes title="Best rounds" some={scored.slice(0, extremes)} />
          <Extremes title="Worst rounds" some={scored.toReversed().slice(0, extremes)} />
        </section>
      )}
      <section class="panel" aria-labelledby="newest">
        <h2 id="newest">Newest predictions</h2>
        <Scroll label="Table: newest predictions">
          <table>
            <thead>
              <tr>
                <th scope="col">Round</th>
                <th scope="col" class="wide">
                  Question
                </th>
                <th scope="col">Answer</th>
                <th scope="col" class="number">
                  Sure
                </th>
                <th scope="col" class="number">
                  Score
                </th>
                <th scope="col" class="number wide">
                  Place
                </th>
                <th scope="col" class="number">
                  Sim P&amp;L
                </th>
              </tr>
            </thead>
            <tbody>
              {predictions.slice(0, SHOWN).map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    <a href={roundPath(one.roundId)}>{one.roundId}</a>{' '}
                    <small>
                      {day(one.round.startTime)} {clockTime(one.round.startTime)}
                    </small>
                  </th>
                  <td class="wide">{typeName(one.questionType)}</td>
                  <td>
                    {one.prediction}{' '}
                    {one.isCorrect == null ? '' : one.isCorrect === 1 ? <b class="right">✓</b> : <b class="wrong">✗</b>}
                  </td>
                  <td class="number">{one.confidence} %</td>
                  <td class="number strong">
                    {one.score == null ? one.round.status : signed(one.score + (one.streakBonus ?? 0))}
                  </td>
                  <td class="number wide">{one.place ?? '–'}</td>
                  <td class="number">{one.pnlUsd == null ? '–' : signedUsd(one.pnlUsd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </section>
    </>
  );
}

function Extremes({ title, some }: { readonly title: string; readonly some: Predictions }) {
  return (
    <div>
      <h3>{title}</h3>
      <ol class="calls">
        {some.map(({ id, roundId, questionType, prediction, confidence, pnlUsd }) => (
          <li key={id}>
            <a href={roundPath(roundId)}>
              {roundId}: {typeName(questionType)}
            </a>
            <span>
              {prediction} at {confidence} %
            </span>
            <b>{signedUsd(pnlUsd ?? 0)}</b>
          </li>
        ))}
      </ol>
    </div>
  );
}

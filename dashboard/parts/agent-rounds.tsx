import { roundPath } from '../addresses.ts';
import type { AgentPageQuery } from '../documents/agent.ts';
import { clockTime, counted, day, signed, signedUsd } from '../figures.ts';
import { typeName } from './round-list.tsx';
import { Answer, Extremes, Heads, Scroll } from './tables.tsx';

type Predictions = NonNullable<AgentPageQuery['agent']>['predictions']['nodes'];

const SHOWN = 20;

/** The newest predictions, after the best and worst of the last hundred. */
export function AgentRounds({ predictions }: { readonly predictions: Predictions }) {
  if (predictions.length === 0) return null;
  const byGain = predictions.toSorted((one, other) => (other.pnlUsd ?? 0) - (one.pnlUsd ?? 0));
  return (
    <>
      <Extremes
        what={`of the newest ${counted(predictions.length, 'round')}`}
        best={byGain}
        worst={byGain.toReversed()}
        link={({ roundId, questionType }) => (
          <a href={roundPath(roundId)}>
            {roundId}: {typeName(questionType)}
          </a>
        )}
      />
      <section class="panel" aria-labelledby="newest">
        <h2 id="newest">Newest predictions</h2>
        <Scroll label="Table: newest predictions">
          <table>
            <Heads
              of={[
                ['Round'],
                ['Question', 'wide'],
                ['Answer'],
                ['Sure', 'number wide'],
                ['Score', 'number'],
                ['Place', 'number wide'],
                ['Sim P&L', 'number'],
              ]}
            />
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
                  <Answer of={one} />
                  <td class="number wide">{one.confidence === null ? 'sealed' : `${one.confidence} %`}</td>
                  <td class="number strong">
                    {one.score == null
                      ? one.round.status === 'void'
                        ? 'void'
                        : 'open'
                      : signed(one.score + (one.streakBonus ?? 0))}
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

import { roundPath } from '../addresses.ts';
import { Now, type NowQuery } from '../documents/now.ts';
import { plainQuestion } from '../plain-question.ts';
import { useAnswer } from '../answers.ts';
import { Countdown } from '../parts/countdown.tsx';
import { EmbedFrame } from '../parts/embed-frame.tsx';
import { HourSoFar, useHour, useMarket } from './now.tsx';

/** For a frame of another site. */
export function Page() {
  const { data, error, refresh } = useAnswer(Now, {});
  return (
    <EmbedFrame error={error} again={refresh}>
      {data && <Hour answer={data} />}
    </EmbedFrame>
  );
}

function Hour({ answer }: { readonly answer: NowQuery }) {
  const { round, entries } = useHour(answer);
  const market = useMarket();
  if (round === null) return <h1>No hour is being played.</h1>;
  return (
    <>
      <div class="asking">
        <h1>
          <a href={roundPath(round.id)}>{plainQuestion(round)}</a>
        </h1>
        <Countdown round={round} />
      </div>
      <HourSoFar hour={{ round, entries }} market={market} />
    </>
  );
}

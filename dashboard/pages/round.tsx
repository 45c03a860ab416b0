import { agentPath, type Route } from '../addresses.ts';
import { RoundChanges, RoundPage, type RoundPageQuery } from '../documents/round.ts';
import { plainQuestion } from '../plain-question.ts';
import { roundTitle } from '../titles.ts';
import { useAnswer, useLive } from '../answers.ts';
import { clockTime, day, percent } from '../figures.ts';
import { difficultyWords, EASY, HARD } from '../difficulty.ts';
import { movesOf } from '../market-moves.ts';
import { Countdown, TabTitle } from '../parts/countdown.tsx';
import { useLater } from '../parts/later.tsx';
import { Missing, Pending } from '../parts/notes.tsx';
import { RoundHour } from '../parts/round-hour.tsx';
import { answered, rightShare, standingNote } from '../answered.ts';
import { typeName, voidWords } from '../parts/round-list.tsx';
import { RoundPredictions } from '../parts/round-predictions.tsx';
import { Extremes } from '../parts/tables.tsx';

type Round = NonNullable<RoundPageQuery['round']>;

export function Page({ route: { id } }: { readonly route: Route }) {
  const { data, error, refresh } = useAnswer(RoundPage, { id });
  if (data === null) return <Pending error={error} again={refresh} />;
  return data.round ? <Shown round={data.round} refresh={refresh} /> : <Missing what="round" />;
}

const loadEvidence = () => import('../parts/details.ts');

function Shown({ round, refresh }: { readonly round: Round; readonly refresh: () => void }) {
  const evidence = useLater(loadEvidence);
  useLive(RoundChanges, { id: round.id }, ({ roundUpdated: { status, totalEntries, amendments } }) => {
    const isSame =
      status === round.status && totalEntries === round.totalEntries && amendments.length === round.amendments.length;
    if (!isSame) refresh();
  });
  const isDecided = round.status === 'resolved';
  return (
    <article class="page round">
      <header class="hero">
        <p class="eyebrow">
          Round {round.id} · {typeName(round.questionType)} · {day(round.startTime)}, {clockTime(round.startTime)}–
          {clockTime(round.endTime)} UTC · {round.source} prices
        </p>
        <h1>{plainQuestion(round)}</h1>
        <RoundState round={round} />
        <TabTitle
          to={round.status === 'active' ? round.endTime : ''}
          outcome={round.outcome}
          title={roundTitle(round, plainQuestion(round))}
        />
        {round.amendments.map(({ amendedAt, reason, previousOutcome }) => (
          <p class="fine" key={amendedAt}>
            Amended on {day(amendedAt)}; decided before: {previousOutcome ?? 'void'}. {reason}
          </p>
        ))}
        <p class="fine to-the-letter">To the letter: {round.question}</p>
        <nav class="steps" aria-label="Rounds before and after">
          {round.previousId != null && <a href={`/rounds/${round.previousId}`}>← Round {round.previousId}</a>}
          {round.nextId != null && <a href={`/rounds/${round.nextId}`}>Round {round.nextId} →</a>}
        </nav>
      </header>
      {round.status !== 'upcoming' && <RoundHour round={round} />}
      {isDecided && <Returns round={round} />}
      {isDecided && (
        <Extremes
          what="calls"
          best={round.results.nodes}
          worst={round.last.nodes}
          link={({ agentId, agentName }) => <a href={agentPath(agentId)}>{agentName}</a>}
        />
      )}
      <RoundPredictions round={round} />
      {evidence !== null && <evidence.Evidence round={round} />}
      {evidence !== null && isDecided && <evidence.VerifyAndCite round={round} />}
    </article>
  );
}

/** The countdown, in whose place the outcome appears and is announced. */
function RoundState({ round }: { readonly round: Round }) {
  const isOver = round.status === 'resolved' || round.status === 'void';
  return (
    <div class="round-state">
      <div role="status">{isOver && <Outcome round={round} />}</div>
      {!isOver && <Countdown round={round} />}
    </div>
  );
}

function Outcome({ round }: { readonly round: Round }) {
  const { outcome, voidReason, voidNote } = round;
  if (outcome != null) {
    return (
      <p class="verdict">
        <b class="outcome big">{outcome}</b>
        <span>
          {(round.crowd?.n ?? round.totalEntries) === 0
            ? `${answered(round)}${standingNote(round)}.`
            : `${rightShare(round)} of ${answered(round)} were right, at a mean confidence of ${percent((round.crowd?.meanConfidencePct ?? 0) / 100)}${standingNote(round)}.`}
          {round.difficulty != null && (
            <small class="difficulty">
              {difficultyWords(round.difficulty)}{' '}
              <meter
                min={0}
                max={1}
                low={EASY}
                high={HARD}
                optimum={0}
                value={round.difficulty}
                aria-label="Difficulty, from 0 to 1"
              />
            </small>
          )}
        </span>
      </p>
    );
  }
  return (
    <p class="verdict">
      <b class="outcome big open">void</b>
      <span>
        No outcome: {voidWords(voidReason)}. {voidNote} Nobody’s totals moved.
      </span>
    </p>
  );
}

function Returns({ round }: { readonly round: Round }) {
  const { rows, turns, what } = movesOf(round);
  const bars = useLater(loadEvidence);
  if (rows.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="returns">
      <h2 id="returns">
        What the market did <small>{what}</small>
      </h2>
      {bars && <bars.ReturnsBars rows={rows} turns={turns} />}
    </section>
  );
}

import { ASSETS } from '../../src/rules/assets.ts';
import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { frozenPath, type Route } from '../addresses.ts';
import { Rounds, type RoundsQuery } from '../documents/rounds.ts';
import { filtersIn, type RoundFilters, roundsPath, STATES } from '../round-filters.ts';
import { chosen } from '../answered.ts';
import { day } from '../figures.ts';
import { useAnswer, useHappenings } from '../answers.ts';
import { Empty, Pending } from '../parts/notes.tsx';
import { Choice } from '../parts/choice.tsx';
import { More } from '../parts/form.tsx';
import { type ListedRound, RoundList } from '../parts/round-list.tsx';
import { useNavigation } from '../navigation.ts';
import { useSession } from '../session.ts';

/** The filters are part of the address. */
export function Page({ route }: { readonly route: Route }) {
  const filters = filtersIn(route.search);
  const { data, error, refresh } = useAnswer(Rounds, filters);
  useHappenings(refresh, true);
  return (
    <div class="page">
      <h1>Rounds</h1>
      <p class="lead">Every hour is a round: one question, any number of predictions, one answer by the market.</p>
      <Filters filters={filters} />
      {data === null ? <Pending error={error} again={refresh} /> : <Listed first={data} filters={filters} />}
    </div>
  );
}

function Filters({ filters }: { readonly filters: RoundFilters }) {
  const { go } = useNavigation();
  const change = (event: Event): void => {
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    go(roundsPath(filtersIn(new FormData(event.currentTarget))), { replace: true });
  };
  return (
    <form class="filters" onChange={change} onSubmit={(event) => event.preventDefault()}>
      <Choice name="type" label="Question" options={QUESTION_TYPES} chosen={filters.questionType} />
      <Choice name="asset" label="Asset" options={ASSETS} chosen={filters.asset} />
      <Choice name="status" label="State" options={STATES} chosen={filters.status} />
    </form>
  );
}

function Listed({ first: { rounds }, filters }: { readonly first: RoundsQuery; readonly filters: RoundFilters }) {
  const { ask } = useSession();
  if (rounds.nodes.length === 0)
    return <Empty>No round fits. Rounds are added each hour, one question type after the other.</Empty>;
  return (
    <section class="panel">
      <More
        first={rounds}
        of={roundsPath(filters)}
        next={async (after) => (await ask(Rounds, { ...filters, after })).rounds}
        text="Earlier rounds"
      >
        {(nodes) => <Days of={nodes} />}
      </More>
    </section>
  );
}

/** A mark if more agents chose another answer than the right one. */
function upset({ outcome, crowd }: ListedRound) {
  return (
    outcome != null && crowd?.answers.some(({ n }) => n > chosen(crowd, outcome)) && <small class="tier">upset</small>
  );
}

/** Each day that is over leads to its board. */
function Days({ of }: { readonly of: RoundsQuery['rounds']['nodes'] }) {
  const { clock } = useSession();
  const dates = [...new Set(of.map(({ startTime }) => startTime.slice(0, 10)))];
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  return dates.map((date) => (
    <section class="of-day" key={date}>
      <h2>
        {day(date)}
        {date < today && <a href={frozenPath(date)}>Board of the day</a>}
      </h2>
      <RoundList rounds={of.filter(({ startTime }) => startTime.startsWith(date))} mark={upset} />
    </section>
  ));
}

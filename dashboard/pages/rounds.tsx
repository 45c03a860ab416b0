import { ASSETS } from '../../src/rules/assets.ts';
import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import type { Route } from '../addresses.ts';
import { Happenings } from '../documents/now.ts';
import { Rounds, type RoundsQuery } from '../documents/rounds.ts';
import { filtersIn, type RoundFilters, roundsPath, STATES } from '../round-filters.ts';
import { useAnswer, useLive } from '../answers.ts';
import { Empty, Pending } from '../parts/notes.tsx';
import { Choice } from '../parts/choice.tsx';
import { More } from '../parts/form.tsx';
import { RoundList } from '../parts/round-list.tsx';
import { useNavigation } from '../navigation.ts';
import { useSession } from '../session.ts';

/** The filters are part of the address. */
export function Page({ route }: { readonly route: Route }) {
  const filters = filtersIn(route.search);
  const { data, error, refresh } = useAnswer(Rounds, filters);
  useLive(Happenings, {}, refresh);
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
        {(nodes) => <RoundList rounds={nodes} />}
      </More>
    </section>
  );
}

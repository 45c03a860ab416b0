import type { Route } from '../addresses.ts';
import { PERIOD_TABS, periodIn } from '../period-choice.ts';
import { Models } from '../documents/models.ts';
import { useAnswer } from '../answers.ts';
import { decimal, percent, whole } from '../figures.ts';
import { useNavigation } from '../navigation.ts';
import { EstimateTable } from '../parts/estimate-table.tsx';
import { Empty, Pending } from '../parts/notes.tsx';
import { Tabs } from '../parts/tabs.tsx';

/** Models as agents name them, by edge. */
export function Page({ route: { search } }: { readonly route: Route }) {
  const period = periodIn(search, 'alltime');
  const { data, error, refresh } = useAnswer(Models, { period });
  const { go } = useNavigation();
  return (
    <div class="page">
      <h1>Models</h1>
      <p class="lead">
        Agents may name the model that answered; nobody checks the names. Edge above 0 is better than the price alone.
      </p>
      <Tabs
        label="Window of the models"
        name="models-period"
        options={PERIOD_TABS}
        value={period}
        choose={(one) => go(`/models?period=${one}`, { replace: true })}
      />
      {data === null && <Pending error={error} again={refresh} />}
      {data?.models.length === 0 && <Empty>No scored answer of this window names its model.</Empty>}
      {data && data.models.length > 0 && (
        <section class="panel models">
          <EstimateTable
            label="Table: edge of each model"
            head="Model"
            rows={data.models.flatMap(({ model, n, hitRate, edge }) =>
              edge
                ? [
                    {
                      ...edge,
                      name: model,
                      small: `${percent(hitRate.mean)} of ${whole(n)} right`,
                      text: decimal,
                    },
                  ]
                : [],
            )}
          />
        </section>
      )}
    </div>
  );
}

import { type Described, itemsOf, mapOf, nullable, objectOf, propertiesOf, propertyOf } from './described.ts';
import type { Data, Shape } from './endpoint.ts';
import { fieldsOf, listOf } from './shapes.ts';

/** The fields of a forecast that both of its endpoints show. */
export const FORECAST = `entries  probabilities { answer probability }  price { answer probability }
  crowd { answer probability }`;

const VECTORS = ['probabilities', 'price', 'crowd'];

/** The running round's forecast; null in each field while there is none. */
export const forecastNow: Shape = {
  apply(data) {
    const { forecast, ...round } = data['body'] == null ? {} : fieldsOf(data['body']);
    const found = forecast == null ? {} : byAnswer(fieldsOf(forecast));
    const names = ['at', 'entries', ...VECTORS, 'known'];
    const { round_id = null, rules_version = null } = round;
    return { round_id, rules_version, ...Object.fromEntries(names.map((name) => [name, found[name] ?? null])) };
  },
  describe(described) {
    const { forecast, ...round } = propertiesOf(propertyOf(described, 'body'));
    const fields = { ...round, ...propertiesOf(describedByAnswer(forecast)) };
    return objectOf(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, nullable(field)])));
  },
};

/** A round's recorded forecasts; none where they are sealed. */
export const roundForecasts: Shape = {
  apply(data) {
    const { checkpoints, ...round } = fieldsOf(data['body']);
    const shown = checkpoints == null ? [] : listOf(checkpoints);
    return {
      ...round,
      checkpoints: shown.map((one) => ({ ...byAnswer(one), candidates: listOf(one['candidates']).map(byAnswer) })),
    };
  },
  describe(described) {
    const { checkpoints, ...round } = propertiesOf(propertyOf(described, 'body'));
    const list = checkpoints ?? {};
    const one = describedByAnswer(itemsOf(list));
    const candidates = propertyOf(one, 'candidates');
    const items = objectOf({
      ...propertiesOf(one),
      candidates: { ...candidates, items: describedByAnswer(itemsOf(candidates)) },
    });
    return objectOf({ ...round, checkpoints: { ...list, type: 'array', items } });
  },
};

/** Lists of answers and their probabilities as objects by answer. */
function byAnswer(data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) =>
      VECTORS.includes(name) && value != null
        ? [name, Object.fromEntries(listOf(value).map(({ answer, probability }) => [String(answer), probability]))]
        : [name, value],
    ),
  );
}

function describedByAnswer(described: Described | undefined): Described {
  const fields = Object.entries(propertiesOf(described)).map(([name, field]) => {
    if (!VECTORS.includes(name)) return [name, field] as const;
    const map = mapOf(propertyOf(itemsOf(field), 'probability'), `${field.description ?? ''} By answer.`);
    return [name, name === 'crowd' ? nullable(map) : map] as const;
  });
  return objectOf(Object.fromEntries(fields), described?.description);
}

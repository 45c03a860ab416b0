import type { Shape } from './endpoint.ts';
import { at, each, fields, keyed, objectFrom, or, orNull, partsOf, spread } from './shape.ts';

export const FORECAST = `entries  probabilities { answer probability }  price { answer probability }
  crowd { answer probability }`;

const BY_ANSWER = keyed('answer', at('probability'));
const VECTOR: Shape = {
  ...BY_ANSWER,
  describe: (list) => BY_ANSWER.describe({ ...list, description: `${list.description} By answer.` }),
};

export const forecastNow = objectFrom({
  ...partsOf(['round_id', 'rules_version'], (name) => at(`body.${name}`, orNull())),
  ...partsOf(['at', 'entries'], (name) => at(`body.forecast.${name}`, orNull())),
  ...partsOf(['probabilities', 'price', 'crowd'], (name) => at(`body.forecast.${name}`, orNull(VECTOR))),
  known: at('body.forecast.known', orNull()),
});

const CHECKPOINT = fields({
  probabilities: VECTOR,
  price: VECTOR,
  crowd: orNull(VECTOR),
  candidates: each(fields({ probabilities: VECTOR })),
});

export const roundForecasts = fields({ body: spread(fields({ checkpoints: or([], each(CHECKPOINT)) })) });

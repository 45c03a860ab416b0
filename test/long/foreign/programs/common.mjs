/* Each program reads the round; a client of events says each number that it hears; those that can predict do. */

export const url = process.env.HOURCAST_URL;
export const key = process.env.HOURCAST_KEY;
export const authorization = `Bearer ${key}`;
export const ROUND = '{ currentRound { id choices } }';
export const PREDICT =
  'mutation Predict($roundId: Int!, $prediction: String!) { submitPrediction(roundId: $roundId, prediction: $prediction, confidence: 60) { prediction } }';
export const EVENTS = 'subscription ($after: Int) { events(after: $after) { seq kind } }';

export function say(found) {
  process.stdout.write(`${JSON.stringify(found)}\n`);
}

/** Reads by `ask` and answers the first choice by `change`; both return the data of the document. */
export async function play(ask, change) {
  const { currentRound } = await ask(ROUND);
  say({ round: currentRound.id });
  const { submitPrediction } = await change(PREDICT, { roundId: currentRound.id, prediction: currentRound.choices[0] });
  say({ predicted: submitPrediction.prediction });
}

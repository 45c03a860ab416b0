import { openField, type PlayedField } from '../support/played-field.ts';

/** Some days of rounds with agents who answer at random: a void hour, a night without service, a predicted open round. */
export async function openPlayedService(agents = 7): Promise<PlayedField> {
  const field = await openField({ agents, seed: 11 });
  await field.play(14);
  await field.playWithoutPrices();
  await field.play(9);
  await field.sleep(9);
  await field.play(16);
  await field.predict();
  return field;
}

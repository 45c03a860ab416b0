import { openField, type PlayedField } from '../support/played-field.ts';

/** Some days of rounds with agents who answer at random: a void hour, a night without service, a predicted open round. */
export async function openPlayedService(agents = 7): Promise<PlayedField> {
  // What tests write past the service shows at once, also in rounds that are decided for good.
  const field = await openField({ agents, seed: 11, keeping: { bytes: 0 } });
  await field.play(14);
  await field.playWithoutPrices();
  await field.play(9);
  await field.sleep(9);
  await field.play(16);
  await field.predict();
  return field;
}

import type { PlayedField } from '../support/played-field.ts';
import { sharedField } from '../support/shared.ts';

/** Some days of rounds with agents who answer at random: a void hour, a night without service, a predicted open round. */
export function playedService(): PlayedField {
  // What tests write past the service shows at once, also in rounds that are decided for good.
  return sharedField({ agents: 7, seed: 11, keeping: { bytes: 0 } }, async (field) => {
    await field.play(14);
    await field.playWithoutPrices();
    await field.play(9);
    await field.sleep(9);
    await field.play(16);
    await field.predict();
  });
}

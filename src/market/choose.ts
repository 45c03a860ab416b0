import type { Market } from './market.ts';
import { openReplay } from './replay.ts';
import { simulatedMarket } from './simulated.ts';

const REPLAY = 'replay:';

/** The market that a setting names: `simulated` or `replay:<folder>`. */
export async function openMarket(setting: string): Promise<Market> {
  return setting.startsWith(REPLAY) ? openReplay(setting.slice(REPLAY.length)) : simulatedMarket();
}

import { reason } from '../../database/failures.ts';
import { allOrNone } from '../../market/replay/prices-so-far.ts';
import { openReplayFolder } from '../../market/replay/replay-folder.ts';
import type { Asset } from '../../rules/assets.ts';
import type { Findings } from '../findings.ts';
import { CannotVerify } from '../settings.ts';

export type FolderCandles = Awaited<ReturnType<typeof openFolder>>;

export interface FolderNeeds {
  readonly folder: FolderCandles;
  readonly findings: Findings;
}

/** Opens `<SYM>-USD-<1m|5m|1h>.csv[.gz]` files. Throws `CannotVerify` for any other folder. */
export async function openFolder(folder: string) {
  const { hourAt, pricesAlong } = await openReplayFolder(folder).catch((cause: unknown) => {
    throw new CannotVerify(`--candles: ${reason(cause)}`, { cause });
  });
  return {
    hourOf: (asset: Asset, hourStart: Date) => hourAt(asset, hourStart.getTime()),
    pricesSoFar(assets: readonly Asset[], hourStart: Date, times: readonly Date[]) {
      const along = assets.map((asset) => pricesAlong(asset, hourStart.getTime()));
      return times.map((time) => allOrNone(along.map((at) => at(time.getTime()))));
    },
  };
}

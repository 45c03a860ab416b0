import { startService } from '../test/support/service.ts';
import { socketUrl } from '../test/support/socket-client.ts';
import { EVENTS, write } from '../test/support/written-events.ts';
import { boardRows, now, type Side } from './fan-out-side.ts';

const NEVER_MS = 2 ** 31 - 1;

/** The service as in production, on its own database. An event is written, committed and nudged for. */
export async function feed(): Promise<Side> {
  const service = await startService({ intervals: { heartbeatMs: NEVER_MS, marketMs: NEVER_MS } });
  let event = 0;
  return {
    url: socketUrl(service.url),
    query: EVENTS,
    async publish() {
      event += 1;
      await write(service, [{ kind: 'LEADERBOARD_CHANGED', roundId: null, payload: { rows: boardRows(event) } }]);
      const began = now();
      service.nudge();
      return began;
    },
  };
}

import { EventEmitter } from 'node:events';

import type { Bus } from './bus.ts';

const NUDGE = 'nudge';

/** The bus of a service that runs as one process. */
export function localBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    nudge: () => {
      emitter.emit(NUDGE);
    },
    onNudge: (listener) => {
      emitter.on(NUDGE, listener);
      return () => emitter.off(NUDGE, listener);
    },
  };
}

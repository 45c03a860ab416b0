import { beforeAll, expect, test } from '@jest/globals';

import { KILL_PLACES, killAt, type KillOutcome } from '../../faults/worker-kills.ts';

let outcomes: readonly KillOutcome[];

// All at once: most of each is waiting until the dead worker's job is given to the next.
beforeAll(async () => {
  outcomes = await Promise.all(KILL_PLACES.map((place, index) => killAt(place, index + 1)));
});

test.each(KILL_PLACES.map((place, index) => ({ ...place, index })))(
  'a round whose process is killed $name is decided once, with one event',
  ({ index, left }) => {
    expect(outcomes[index]).toEqual({ left, status: 'resolved', differences: [] });
  },
);

import { expect, test } from '@jest/globals';

import { preparedDataFolder } from '../support/data-folder.ts';
import { launch } from '../support/process.ts';
import { type Heard, hear, socketClient } from '../support/socket-client.ts';
import { EVENTS, type Seen, seqs } from '../support/written-events.ts';

/** An hour in half a real second. */
const SPEED = 7200;

test('a subscriber survives two kills of the process with every event exactly once', async () => {
  await using closing = new AsyncDisposableStack();
  const folder = closing.use(await preparedDataFolder());
  const settings = { DATA_DIR: folder.path, CLOCK_START: '2026-01-01T12:10:00Z', CLOCK_SPEED: String(SPEED) };
  let service = closing.use(await launch(settings));
  const { port } = new URL(service.url);
  const restart = async (): Promise<void> => {
    await service.end('SIGKILL');
    service = closing.use(await launch({ ...settings, PORT: port }));
  };
  let running = Promise.resolve();
  const client = socketClient(service.url, { comeBack: () => running });
  await using heard: Heard<Seen> = hear<Seen>(client, EVENTS, () => ({
    after: heard.items.at(-1)?.data?.events.seq ?? 0,
  }));
  for (const enough of [10, 25]) {
    await heard.first(enough);
    running = restart();
    await running;
  }
  const all = await heard.first(40);
  const seen = all.flatMap(({ data }) => (data ? [data.events] : []));
  const transitions = seen.filter(({ kind }) => kind !== 'HEARTBEAT');
  process.stdout.write(
    `The survivor's seqs: ${seen.map(({ seq, kind }) => (kind === 'HEARTBEAT' ? `(${seq})` : seq)).join(' ')}\n`,
  );
  expect(transitions.map(({ seq }) => seq)).toEqual(seqs(1, transitions.length));
  const rounds = transitions.filter(({ kind }) => kind === 'ROUND_OPENED').map(({ roundId }) => roundId);
  expect(rounds).toEqual([...rounds].toSorted((left, right) => Number(left) - Number(right)));
});

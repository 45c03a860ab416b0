import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { endOfLog, EVENTS, madeUpEvents, publish, type Seen, seqs, write } from '../support/written-events.ts';

let database: TestDatabase;
let here: TestService;
let there: TestService;
beforeAll(async () => {
  database = await createTestDatabase();
  here = await startService({ database });
  there = await startService({ database });
});
afterAll(async () => {
  await here.stop();
  await there.stop();
  await database.drop();
});

test('two processes on one database send the same events in the same order', async () => {
  const before = await endOfLog(here);
  await using heardHere = receive<Seen>(socketClient(here.url), EVENTS, { after: before });
  await using heardThere = receive<Seen>(socketClient(there.url), EVENTS, { after: before });
  // Ten at a time compete for the order, and none waits for a connection longer than the pool lets it on a busy machine.
  for (let first = 0; first < 100; first += 10) {
    const places = Array.from({ length: 10 }, (_, place) => first + place);
    await Promise.all(places.map((place) => publish(place % 2 === 0 ? here : there, 3, 3 * place)));
  }
  here.nudge();
  there.nudge();
  const [ours, theirs] = await Promise.all([heardHere.first(300), heardThere.first(300)]);
  expect(ours.map(({ data }) => data?.events.seq)).toEqual(seqs(before + 1, before + 300));
  expect(theirs).toEqual(ours);
});

test('a subscriber that changes to the other process gets every event exactly once', async () => {
  const before = await endOfLog(here);
  await publish(here, 10);
  const seen: number[] = [];
  for (const service of [here, there, here, there]) {
    await using received = receive<Seen>(socketClient(service.url), EVENTS, { after: seen.at(-1) ?? before });
    await publish(service, 5);
    const found = await received.first(3);
    seen.push(...found.map(({ data }) => data?.events.seq ?? 0));
  }
  expect(seen).toEqual(seqs(before + 1, before + 12));
});

test('a subscriber can resume after an event that the other process has not read', async () => {
  const before = await endOfLog(here);
  await write(here, madeUpEvents(2));
  here.nudge();
  await using ahead = receive<Seen>(socketClient(there.url), EVENTS, { after: before + 2 });
  // The process goes on serving others meanwhile.
  expect((await there.request('GET', '/api/health')).status).toBe(200);
  await publish(there, 2);
  const found = await ahead.first(2);
  expect(found.map(({ data }) => data?.events.seq)).toEqual([before + 3, before + 4]);
});

test('events of a writer that died before publishing are found by polling', async () => {
  const before = await endOfLog(here);
  await using received = receive<Seen>(socketClient(here.url), EVENTS, { after: before });
  await write(here, madeUpEvents(4));
  const found = await received.first(4);
  expect(found.map(({ data }) => data?.events.payload)).toEqual(madeUpEvents(4).map(({ payload }) => payload));
});

import { expect, test } from '@jest/globals';

import { simulatedMarket } from '../../../src/market/simulated/simulated.ts';
import { makeSchema } from '../../../src/resolvers/schema.ts';
import { MINUTE } from '../../../src/rules/hours.ts';
import { shared, sharedService } from '../../support/shared.ts';
import { costlyDocuments } from './costly-documents.ts';
import { addHistoryToStandings, answerRunningRound, insertDecidedRounds } from './decided-rounds.ts';
import { type FarClient, farClient } from './far-client.ts';
import { piecesDuring, slowness } from './pieces.ts';

/*
 * Documents that ask for each field of the schema as often as the limits allow, which one address may send four at a time.
 * What is held is processor time of the service's own thread: other processes of a busy machine lengthen no piece of it. It is
 * divided by the machine's slowness, measured beside it.
 */

const LONGEST_MS = 50;
/** The first time something is compiled; a piece that is too long is so each time. */
const TRIES = 3;
const AT_ONCE = 4;
const EVENTS = 8;
/** Fields of Query below which the most is read. */
const FOUR_OF = ['round', 'rounds', 'predictions', 'agents'];
const LIVEZ_MS = 100;
/** The share is of so much work that one piece, which a busy machine stretches, does not decide it. */
const RUNS = 3;

const schema = makeSchema();
const rootsOf = (parent = schema.getQueryType()) =>
  Object.values(parent?.getFields() ?? {}).flatMap((field) =>
    parent == null ? [] : [{ parent, field, name: field.name }],
  );

// Every answer is made anew.
const service = sharedService(() => ({ prices: simulatedMarket(), keeping: { bytes: 0 } }));
const far = shared(async (closing) => {
  await insertDecidedRounds(service);
  await answerRunningRound(service);
  await service.nextHour();
  await addHistoryToStandings(service);
  service.clock.set(new Date(service.clock.now().getTime() + 40 * MINUTE));
  await answerRunningRound(service);
  return { clients: Array.from({ length: AT_ONCE }, () => closing.use(farClient(service.url))) };
});

function clientAt(place: number): FarClient {
  const client = far.clients[place];
  if (client === undefined) throw new Error('There must be a client for each that asks at once');
  return client;
}

/** The shortest of some tries, and what was answered. */
async function longestOf(query: string, messages = 0) {
  let piece = Infinity;
  let error: string | null = null;
  for (let n = 0; n < TRIES && piece >= LONGEST_MS; n += 1) {
    const ask = async (): Promise<void> => void ({ error } = await clientAt(0).ask(query, messages));
    const longest = Math.max(...(await piecesDuring(ask)));
    piece = Math.min(piece, longest < LONGEST_MS ? longest : longest / slowness());
  }
  return { query: query.slice(0, 200), piece, error };
}

/** No lists of rows are below them. */
const SHORT = new Set(['predictionProof', 'receipt', 'signedRecord']);

test.each(rootsOf().filter(({ name }) => !SHORT.has(name)))(
  'no document below $name blocks the event loop for 50 ms',
  async (root) => {
    const found = [];
    for (const query of costlyDocuments(root, schema)) found.push(await longestOf(query));
    expect(found.filter(({ piece }) => piece >= LONGEST_MS)).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  },
);

test('no subscription to events with rounds blocks the event loop for 50 ms', async () => {
  const [root] = rootsOf(schema.getSubscriptionType()).filter(({ name }) => name === 'events');
  if (root === undefined) throw new Error('The schema has events');
  const found = [];
  for (const query of costlyDocuments(root, schema)) found.push(await longestOf(query, EVENTS));
  expect(found.filter(({ piece }) => piece >= LONGEST_MS)).toEqual([]);
  expect(found.filter(({ error }) => error === null).length).toBeGreaterThan(found.length / 2);
});

test('four such documents at a time delay other addresses by less than 100 ms at p99', async () => {
  const documents = rootsOf().flatMap((root) => (FOUR_OF.includes(root.name) ? costlyDocuments(root, schema) : []));
  const sendAll = () =>
    Promise.all(
      far.clients.map(async (client, first) => {
        for (let n = first; n < documents.length; n += AT_ONCE) await client.ask(documents[n] ?? '');
      }),
    );
  const pieces = [];
  for (let run = 0; run < RUNS; run += 1) {
    const found = await piecesDuring(sendAll);
    const slower = slowness();
    pieces.push(...found.map((piece) => piece / slower));
  }
  const beyond = pieces.reduce((sum, piece) => sum + Math.max(0, piece - LIVEZ_MS), 0);
  expect(beyond / pieces.reduce((sum, piece) => sum + piece, 0)).toBeLessThan(0.01);
});

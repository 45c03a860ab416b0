import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';

import { compileServiceOperation } from '../src/graphql/operation.ts';
import { isTurnOver, ownTurn } from '../src/turns.ts';

/** Works until its turn of the event loop is over. */
function workLong(): void {
  while (!isTurnOver());
}

/** What happens in the order of time from the first work on: work, and between two pieces of it the turns that others had. */
function watched() {
  const order: string[] = [];
  let isOn = true;
  const turn = (): void => {
    if (order.at(-1) !== 'others') order.push('others');
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    work: (): void => {
      workLong();
      order.push('work');
    },
    stop: (): readonly string[] => {
      isOn = false;
      return order.slice(order.indexOf('work')).slice(0, 5);
    },
  };
}

const IN_TURNS = ['work', 'others', 'work', 'others', 'work'];

test('long concurrent work yields to others between its parts', async () => {
  const { work, stop } = watched();
  const piece = async (): Promise<void> => (isTurnOver() ? ownTurn().then(work) : work());
  await Promise.all([0, 1, 2].map(() => Promise.resolve().then(piece)));
  expect(stop()).toEqual(IN_TURNS);
});

test('short work does not yield more', async () => {
  let others = 0;
  await new Promise(setImmediate);
  setImmediate(() => (others += 1));
  for (let n = 0; n < 10; n += 1) if (isTurnOver()) await ownTurn();
  expect(others).toBe(0);
});

test('an executor resolves many waiting rows in turns', async () => {
  const { work, stop } = watched();
  const schema = buildSchema('type Query { rows: [Row!]! } type Row { figure: Figure } type Figure { value: Int }');
  const loaded = Promise.resolve({
    value: () => {
      work();
      return 1;
    },
  });
  const rows = [0, 1, 2].map(() => ({ figure: () => loaded }));
  const answer = await compileServiceOperation(schema, '{ rows { figure { value } } }').execute({
    context: null,
    variables: {},
    rootValue: { rows },
  });
  expect(answer).toEqual({ data: { rows: rows.map(() => ({ figure: { value: 1 } })) } });
  expect(stop()).toEqual(IN_TURNS);
});

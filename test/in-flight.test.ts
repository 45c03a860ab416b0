import { getEventListeners } from 'node:events';

import { describe, expect, test } from '@jest/globals';

import {
  madeOnce,
  madeOnceFor,
  pendingWork,
  rerunAfter,
  semaphore,
  singleFlight,
  TurnMissed,
} from '../src/in-flight.ts';

/** Work that ends when the test says so. */
function heldWork() {
  const runs: PromiseWithResolvers<string>[] = [];
  return {
    runs,
    run: (): Promise<string> => {
      const held = Promise.withResolvers<string>();
      runs.push(held);
      return held.promise;
    },
  };
}

/** Reruns of held work; `seen` has the order in which runs begin and calls end. */
function watched() {
  const { runs, run } = heldWork();
  const seen: string[] = [];
  const rerun = rerunAfter(async () => {
    seen.push(`run ${runs.length}`);
    await run();
  });
  const call = (name: string): Promise<void> =>
    rerun().then(
      () => void seen.push(`${name} done`),
      () => void seen.push(`${name} failed`),
    );
  return { runs, seen, rerun, call };
}

describe('single flight', () => {
  test('concurrent calls share a flight; a call after it starts another', async () => {
    const { runs, run } = heldWork();
    const call = singleFlight(run);
    const [first, second] = [call(), call()];
    runs[0]?.resolve('one');
    expect(await Promise.all([first, second])).toEqual(['one', 'one']);
    const third = call();
    runs[1]?.resolve('two');
    expect(await third).toBe('two');
    expect(runs).toHaveLength(2);
  });

  test('a failed flight fails for all its callers, and the next call tries again', async () => {
    const { runs, run } = heldWork();
    const call = singleFlight(run);
    const settled = Promise.allSettled([call(), call()]);
    runs[0]?.reject(new Error('a fault'));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = call();
    runs[1]?.resolve('two');
    expect(await next).toBe('two');
  });
});

test('a thing is made once; after a failure the next caller tries again', async () => {
  const { runs, run } = heldWork();
  const get = madeOnce(run);
  const failed = Promise.allSettled([get(), get()]);
  runs[0]?.reject(new Error('a fault'));
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const made = get();
  runs[1]?.resolve('one');
  expect(await Promise.all([made, get()])).toEqual(['one', 'one']);
  expect(runs).toHaveLength(2);
});

test('a value is made once for each object, also null', () => {
  const values: object[] = [];
  const get = madeOnceFor((of: { readonly value: string | null }) => {
    values.push(of);
    return of.value;
  });
  const [one, none] = [{ value: 'one' }, { value: null }];
  expect([get(one), get(none), get(one), get(none)]).toEqual(['one', null, 'one', null]);
  expect(values).toEqual([one, none]);
});

test('settled() also waits for work that is added just after other work has failed', async () => {
  const { runs, run } = heldWork();
  const work = pendingWork();
  const added = (async () => {
    await work.track(run()).catch(() => {});
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    await work.track(run());
  })();
  let isSettled = false;
  const settling = work.settled().then(() => (isSettled = true));
  runs[0]?.reject(new Error('a fault'));
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  runs[1]?.resolve('');
  await Promise.all([added, settling]);
});

describe('rerun', () => {
  test('calls during a run share one rerun, which starts after it', async () => {
    const { runs, seen, rerun, call } = watched();
    const calls = [call('a'), call('b'), call('c')];
    expect(seen).toEqual(['run 0']);
    runs[0]?.resolve('');
    await calls[0];
    await new Promise(setImmediate);
    runs[1]?.resolve('');
    await Promise.all(calls);
    await rerun.settled();
    expect(seen).toEqual(['run 0', 'a done', 'run 1', 'b done', 'c done']);
  });

  test('a call at the end of a run joins the rerun', async () => {
    const { runs, seen, rerun, call } = watched();
    const ended = rerun();
    const calls = [call('b'), ended.then(() => call('c'))];
    runs[0]?.resolve('');
    await new Promise(setImmediate);
    expect(seen).toEqual(['run 0', 'run 1']);
    runs[1]?.resolve('');
    await Promise.all(calls);
    expect(seen).toEqual(['run 0', 'run 1', 'b done', 'c done']);
  });

  test('a rerun starts also after a failed run', async () => {
    const { runs, seen, call } = watched();
    const calls = [call('a'), call('b')];
    runs[0]?.reject(new Error('a fault'));
    await calls[0];
    await new Promise(setImmediate);
    runs[1]?.resolve('');
    await Promise.all(calls);
    expect(seen).toEqual(['run 0', 'a failed', 'run 1', 'b done']);
  });
});

test('settled() of a rerun waits for the run that follows the present one', async () => {
  const { runs, seen, rerun, call } = watched();
  const calls = [call('a'), call('b')];
  const settling = rerun.settled().then(() => seen.push('settled'));
  runs[0]?.resolve('');
  await new Promise(setImmediate);
  expect(seen).toEqual(['run 0', 'a done', 'run 1']);
  runs[1]?.resolve('');
  await Promise.all([...calls, settling]);
  expect(seen.slice(3).toSorted()).toEqual(['b done', 'settled']);
});

describe('semaphore', () => {
  test('a semaphore runs a maximum of tasks at once, in order, also after a failure', async () => {
    const inTurn = semaphore(2);
    const started: number[] = [];
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const tasks = ends.map(({ promise }, place) =>
      inTurn(() => {
        started.push(place);
        return promise;
      }),
    );
    const settled = Promise.allSettled(tasks);
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    ends[1]?.reject(new Error('a fault'));
    await expect(tasks[1]).rejects.toThrow('a fault');
    expect(started).toEqual([0, 1, 2]);
    for (const [place, { resolve }] of ends.entries()) resolve(place);
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  test('a semaphore skips a task aborted before its turn', async () => {
    const inTurn = semaphore(1);
    const running = Promise.withResolvers<void>();
    const ran: string[] = [];
    const first = inTurn(() => running.promise);
    const over = new AbortController();
    const second = inTurn(async () => void ran.push('second'), over.signal);
    const third = inTurn(async () => void ran.push('third'));
    over.abort();
    await expect(second).rejects.toBeInstanceOf(TurnMissed);
    running.resolve();
    await Promise.all([first, third]);
    await expect(inTurn(async () => void ran.push('fourth'), over.signal)).rejects.toBeInstanceOf(TurnMissed);
    expect(ran).toEqual(['third']);
  });

  test('a semaphore leaves no listener on the signal of a task that has begun', async () => {
    const inTurn = semaphore(1);
    const { signal } = new AbortController();
    await Promise.all([inTurn(async () => {}, signal), inTurn(async () => {}, signal)]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

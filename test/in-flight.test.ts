import { describe, expect, test } from '@jest/globals';

import { rerunAfter, semaphore, singleFlight, TurnMissed } from '../src/in-flight.ts';

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

describe('a single flight', () => {
  test('is shared by all who ask meanwhile; who asks after it begins another', async () => {
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

  test('that fails fails for all of them, and the next call tries again', async () => {
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

describe('a rerun', () => {
  test('is one for all who ask during a run, and begins after it', async () => {
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

  test('is joined by who asks when the run before has just ended', async () => {
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

  test('begins also when the run before has failed', async () => {
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

describe('a semaphore', () => {
  test('let at most so many tasks run at once, in the order in which they came, also after one has failed', async () => {
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

  test('pass over a task that is aborted before its own', async () => {
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
});

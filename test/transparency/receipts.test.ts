import { createHash } from 'node:crypto';

import { expect, test } from '@jest/globals';

import { predict, register } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { expectRefusal } from '../support/refusals.ts';
import type { Answer, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared.ts';
import { checkpointBy, hashOfLeaf, rootBy } from './proof-oracle.ts';

const open = sharedService();
const sealed = sharedService(() => ({ picks: 'sealed' }));

async function keyOf(service: TestService): Promise<string> {
  return (await service.request('GET', '/.well-known/hourcast-keys.json')).body.keys[0].public_key;
}

/** The root to which the proof of a receipt leads, and that of its signed checkpoint. */
async function rootsOf(service: TestService, { leaf, index, size, proof, checkpoint }: Answer['body']) {
  const signed = checkpointBy(await keyOf(service), checkpoint);
  const path = proof.map((hash: string) => Buffer.from(hash, 'base64'));
  return {
    found: { size, root: rootBy(path, hashOfLeaf(leaf), index, size) },
    signed: { size: signed.size, root: signed.root },
  };
}

test('the header of a submission is the hash of the leaf that the log has after the hour', async () => {
  const round = await currentRound(open);
  const players = [];
  for (let n = 0; n < 5; n += 1) {
    const player = await register(open, `receiver-${n}`);
    const words = n % 2 === 0 ? {} : { rationale: 'Momentum.\nAnd more — ☂', model: 'coin 1.0' };
    players.push({ ...player, answer: await predict(open, player, { confidence: 50 + n, ...words }) });
  }
  const before = await Promise.all(players.map(({ key, answer }) => receipt(key, answer.body.prediction.id)));
  expect(before.map(({ body }) => [body.index, body.size, body.proof, body.checkpoint])).toEqual(
    players.map(() => [null, null, null, null]),
  );
  await open.nextHour();
  for (const [n, { id, key, answer }] of players.entries()) {
    const { body } = await receipt(key, answer.body.prediction.id);
    const { submitted_at_iso: at, prediction } = answer.body.prediction;
    const words = n % 2 === 0 ? '-' : createHash('sha256').update('Momentum.\nAnd more — ☂\0coin 1.0').digest('hex');
    const leaf = `hourcast prediction 1\n${round.id} ${id} ${prediction} ${50 + n} ${Date.parse(at)} 0 ${words}\n`;
    const hash = hashOfLeaf(leaf).toString('base64');
    expect(body).toMatchObject({ leaf, leaf_hash: hash });
    expect(answer.headers.get('hourcast-leaf')).toBe(hash);
    const { found, signed } = await rootsOf(open, body);
    expect(found).toEqual(signed);
    const path = `/api/rounds/${round.id}/predictions/${answer.body.prediction.id}/proof`;
    expect((await open.request('GET', path)).body).toEqual(body);
  }
  expect(open.reported).toEqual([]);

  function receipt(key: string, id: number) {
    return open.request('GET', `/api/me/predictions/${id}/receipt`, { key });
  }
});

test('a repeated submission has the same leaf, also once an operator has hidden its words; a trial has none', async () => {
  const player = await register(open, 'repeater');
  const body = { confidence: 70, rationale: 'Secret reasons.', idempotencyKey: 'k-1' };
  const trial = await predict(open, player, { ...body, dry_run: true });
  expect([trial.status, trial.headers.get('hourcast-leaf')]).toEqual([200, null]);
  const first = await predict(open, player, body);
  await open.newEm().execute('update rationales set hidden_at = now() where agent_id = ?', [player.id]);
  const again = await predict(open, player, body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body.prediction.rationale).toBeUndefined();
  expect(again.headers.get('hourcast-leaf')).toBe(first.headers.get('hourcast-leaf'));
  expect(first.headers.get('hourcast-leaf')).toMatch(/^[\w+/]{43}=$/);
});

test('proofs of unknown rounds and predictions are refused as unknown', async () => {
  const { key } = await register(open, 'guesser');
  const player = await register(open, 'guessed');
  const { id } = (await predict(open, player)).body.prediction;
  const { id: roundId } = await currentRound(open);
  const proof = (round: number | string, prediction: number) =>
    open.request('GET', `/api/rounds/${round}/predictions/${prediction}/proof`);
  expectRefusal(await proof(9999, id), 404, /There is no round 9999\./);
  expectRefusal(await proof(roundId - 1, id), 404, new RegExp(`Round ${roundId - 1} has no prediction ${id}`));
  expectRefusal(await proof(roundId, Number.MAX_SAFE_INTEGER), 404, /has no prediction 9007199254740991/);
  expectRefusal(await proof(roundId, 0), 400, /prediction_id must be a whole number from 1/);
  expectRefusal(await proof('x', id), 400, /round_id/);
  expectRefusal(await open.request('GET', '/api/me/predictions/123456/receipt', { key }), 404, /no prediction 123456/);
  expectRefusal(await open.request('GET', `/api/me/predictions/${id}/receipt`, { key }), 403, /another agent's/);
  expectRefusal(await open.request('GET', `/api/me/predictions/${id}/receipt`), 401);
});

test('a sealed pick has a proof for its own agent alone until the round is over', async () => {
  const [owner, other] = [await register(sealed, 'sealer'), await register(sealed, 'spy')];
  const { id } = (await predict(sealed, owner)).body.prediction;
  const path = `/api/rounds/${(await currentRound(sealed)).id}/predictions/${id}/proof`;
  expectRefusal(await sealed.request('GET', path), 403, /sealed until round \d+ is over/);
  expectRefusal(await sealed.request('GET', path, { key: other.key }), 403, /sealed/);
  expectRefusal(await sealed.request('GET', `/api/me/predictions/${id}/receipt`, { key: other.key }), 403);
  expect((await sealed.request('GET', path, { key: owner.key })).body.leaf).toMatch(/^hourcast prediction 1\n/);
  await sealed.nextHour();
  const { body } = await sealed.request('GET', path);
  const { found, signed } = await rootsOf(sealed, body);
  expect(found).toEqual(signed);
});

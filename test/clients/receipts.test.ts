import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { createClient, verifyProof, verifyRecord } from '../../clients/js/src/index.ts';
import type { PredictionProof } from '../../clients/js/src/reference.ts';
import { predict, register, registerMany } from '../support/agents.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { currentRound, firstOf } from '../support/rounds.ts';
import { shared, sharedService } from '../support/shared.ts';
import { COMMAND_LINES } from './command-lines.ts';
import { INSTALLED, PYTHON_SOURCES } from './languages.ts';
import { run } from './programs.ts';

const service = sharedService();
const made = shared(async (closing) => {
  const { path: folder } = closing.use(await scopedFolder());
  // Three in a round: proofs of several lengths, on both sides.
  const players = await registerMany(service, 'keeper', 3);
  const answers = [];
  for (const player of players) answers.push(await predict(service, player, { rationale: 'Ünïcode ☂' }));
  await service.nextHour();
  const [player, answer] = [players[1], answers[1]];
  if (player === undefined || answer === undefined) throw new Error('Nobody predicted');
  const id: number = answer.body.prediction.id;
  const { body: proof } = await service.request('GET', `/api/me/predictions/${id}/receipt`, { key: player.key });
  const { body: keys } = await service.request('GET', '/.well-known/hourcast-keys.json');
  const running = (await predict(service, player)).body.prediction.id;
  const response = await fetch(`${service.url}/api/agents/keeper-2/record.json`);
  const record = await response.text();
  return {
    folder,
    player,
    id,
    running,
    proof,
    record,
    leaf: answer.headers.get('hourcast-leaf') ?? '',
    key: keys.keys[0],
  };
});

const FOREIGN = 'elsewhere.example/log+0a1b2c3d+ARcjK2NUQVJPR1VFS0VZQVJPR1VFS0VZQVJPR1VFS0VZ';
const OTHER = Buffer.alloc(32, 7).toString('base64');

/** What both clients must refuse, made of a proof that is right. */
const WRONG: readonly (readonly [string, (proof: PredictionProof) => PredictionProof, RegExp])[] = [
  ['another leaf', (one) => ({ ...one, leaf: one.leaf.replace(' 60 ', ' 61 ') }), /The leaf must have the hash/],
  ['another leaf hash', (one) => ({ ...one, leaf_hash: OTHER }), /The leaf must have the hash/],
  ['another index', (one) => ({ ...one, index: (one.index ?? 0) - 1 }), /does not have the leaf .* at index/],
  ['an index beyond the tree', (one) => ({ ...one, index: one.size }), /does not have the leaf/],
  ['another size', (one) => ({ ...one, size: (one.size ?? 0) + 1 }), /The checkpoint must have the \d+ leaves/],
  [
    'another hash in the proof',
    (one) => ({ ...one, proof: [OTHER, ...(one.proof ?? []).slice(1)] }),
    /does not have the leaf/,
  ],
  ['a shorter proof', (one) => ({ ...one, proof: (one.proof ?? []).slice(1) }), /does not have the leaf/],
  ['a longer proof', (one) => ({ ...one, proof: [...(one.proof ?? []), OTHER] }), /does not have the leaf/],
  ['another root', (one) => withRoot(one, OTHER), /must be signed by .*\(it is signed by hourcast\.log\/[\da-f]{16}\)/],
  [
    'an unsigned checkpoint',
    (one) => ({ ...one, checkpoint: (one.checkpoint ?? '').replace(/\n\n.*\n$/, '\n\n') }),
    /\(it is signed by nobody\)/,
  ],
  ['no checkpoint', (one) => ({ ...one, checkpoint: 'hello' }), /must be a signed note of a log/],
];

function withRoot(one: PredictionProof, root: string): PredictionProof {
  const [origin, size, , ...rest] = (one.checkpoint ?? '').split('\n');
  return { ...one, checkpoint: [origin, size, root, ...rest].join('\n') };
}

const PYTHON = `
import dataclasses, json, sys
from hourcast import verify_proof
keys, *proofs = json.loads(sys.argv[1])
for proof in proofs:
    try:
        print(json.dumps(dataclasses.astuple(verify_proof(proof, keys))))
    except ValueError as error:
        print(json.dumps(str(error)))
`;

async function byPython(keys: readonly string[], proofs: readonly PredictionProof[]) {
  const { stdout, stderr } = await run(['python3', '-c', PYTHON, JSON.stringify([keys, ...proofs])], {
    env: { PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('the JavaScript client accepts the proof, and refuses each wrong part of it', async () => {
  const { proof, key, player, id, leaf } = made;
  expect(await verifyProof(proof, [key.verifier])).toMatchObject({ index: proof.index, size: proof.size });
  for (const [, change, message] of WRONG)
    await expect(verifyProof(change(proof), [key.verifier])).rejects.toThrow(message);
  await expect(verifyProof(proof, [FOREIGN])).rejects.toThrow(/must be signed by elsewhere\.example/);
  const receipt = await createClient({ url: service.url, key: player.key }).receipt(id);
  expect(await receipt.verify({ leaf })).toMatchObject({ index: proof.index, size: proof.size });
  await expect(receipt.verify({ leaf: OTHER })).rejects.toThrow(/of the submission/);
});

const hasPython = INSTALLED.some(({ language }) => language === 'Python');

(hasPython ? test : test.skip)('the Python client accepts the proof, and refuses each wrong part of it', async () => {
  const { proof, key } = made;
  const found = await byPython([key.verifier], [proof, ...WRONG.map(([, change]) => change(proof))]);
  expect(found).toEqual([
    [key.verifier.split('+')[0], proof.index, proof.size],
    ...WRONG.map(([, , message]) => expect.stringMatching(message)),
  ]);
  expect(await byPython([FOREIGN], [proof])).toEqual([expect.stringMatching(/must be signed by elsewhere\.example/)]);
});

async function written(text: string): Promise<string> {
  await writeFile(join(made.folder, 'record.json'), text);
  return 'record.json';
}

describe.each(COMMAND_LINES)('in $language', (line) => {
  const command = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await line.run(words, {
      url: service.url,
      key: made.player.key,
      cwd: made.folder,
    });
    return { code, stdout, stderr };
  };

  test('receipt verifies a prediction in the log, and the leaf of one whose round runs', async () => {
    const { id, leaf, key, proof, running } = made;
    const verified = await command('receipt', String(id), '--leaf', leaf, '--key', key.verifier);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toContain(`${proof.leaf}leaf hash ${leaf}\n`);
    expect(verified.stdout).toMatch(
      /The log hourcast\.log\/\w{16} has it: leaf \d+ of \d+, under a signed checkpoint\.\n$/,
    );
    expect((await command('receipt', String(running))).stdout).toMatch(/does not have it yet/);
    const json = await command('receipt', String(id), '--json');
    expect(JSON.parse(json.stdout)).toEqual({ ...proof, verified: true });
  });

  test('predict prints the command that verifies its receipt', async () => {
    const { key } = await register(service, `sender-${line.language}`);
    const { choices } = await currentRound(service);
    const call = { url: service.url, key, cwd: made.folder };
    const { stdout } = await line.run(['predict', firstOf(choices), '60'], call);
    const [, words = ''] = /^Its receipt: hourcast(?:-client)? (receipt \d+ --leaf [\w+/]{43}=)$/m.exec(stdout) ?? [];
    expect(await line.run(words.split(' '), call)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`leaf hash ${words.split(' ').at(-1)}\n`),
    });
  });

  test('receipt fails for another leaf, another key and another’s prediction', async () => {
    const { id } = made;
    expect(await command('receipt', String(id), '--leaf', OTHER)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/of the submission/),
    });
    expect(await command('receipt', String(id), '--key', FOREIGN)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/must be signed by elsewhere/),
    });
    expect(await command('receipt', String(id - 1))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/another agent's/),
    });
    expect(await command('receipt', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/PREDICTION must be a whole number/),
    });
  });

  test('record verify accepts a record.json without the service, also in another order and with spaces', async () => {
    const { record, key } = made;
    const spaced = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(record)).toReversed()), null, 2);
    for (const text of [record, spaced]) {
      const { code, stdout, stderr } = await line.run(
        ['record', 'verify', await written(text), '--key', key.public_key],
        {
          url: 'http://127.0.0.1:1',
          cwd: made.folder,
        },
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^keeper-2, alltime: 1 rounds, -?\d+ points, edge -?[\d.]+\n/);
    }
    const json = await command('record', 'verify', await written(record), '--key', key.public_key, '--json');
    expect(JSON.parse(json.stdout)).toEqual({ ...JSON.parse(record), signed_by: key.public_key, key_given: true });
    expect((await command('record', 'verify', await written(record))).stderr).toMatch(
      /compare it with the one of the service/,
    );
  });

  test('record verify reads small fractions and all characters as they were signed', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = `whpk_${publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`;
    const figures = '"edge":{"high":0.5,"low":-0.000001,"mean":0.000012,"n":40},"format":"hourcast record 1"';
    const text = `{"agent_id":1,"checkpoint":"\u2014 a\\n\u2028\\"",${figures},"name":"ü☂","origin":"log","period":"daily","points":-3,"rounds":40,"rules_version":2,"signed_at":"now"}`;
    const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
    const file = await written(
      `${text.slice(0, -1)},"signatures":[{"public_key":"${key}","signature":"${signature}"}]}`,
    );
    const { code, stdout, stderr } = await command('record', 'verify', file, '--key', key);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ü☂, daily: 40 rounds, -3 points, edge /);
  });

  test('record verify refuses a record with any digit changed, another key, and other files', async () => {
    const { record, key } = made;
    const { signatures: _signatures, ...signed } = JSON.parse(record);
    const places = [...JSON.stringify(signed).matchAll(/\d/g)]
      .map(({ index }) => index)
      .filter((_at, n, all) => n % Math.ceil(all.length / 8) === 0);
    for (const at of places) {
      const changed = `${record.slice(0, at)}${(Number(record[at]) + 1) % 10}${record.slice(at + 1)}`;
      expect(await command('record', 'verify', await written(changed))).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^(The record must be as its service signed it|A record must be)/),
      });
    }
    const other = `whpk_${OTHER}`;
    expect(await command('record', 'verify', await written(record), '--key', other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`must be signed by ${other} (it names ${key.public_key}`),
    });
    for (const text of ['', '{}', '[]', 'null', '{"format":"hourcast record 1","signatures":[1]}'])
      expect(await command('record', 'verify', await written(text))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/A record must be the JSON of/),
      });
    expect(await command('record', 'verify', 'no-such-file')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/FILE must be a readable file/),
    });
    expect(await command('record', 'sign', 'record.json')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/first word must be verify/),
    });
  });
});

test('verifyRecord names the key that signed', async () => {
  expect(await verifyRecord(made.record)).toMatchObject({ name: 'keeper-2', signed_by: made.key.public_key });
});

import { readFile } from 'node:fs/promises';

import { verifyRecord } from '../records.ts';
import type { Command } from './command.ts';
import { UsageError } from './exit-codes.ts';

export const RECORD: Command = {
  name: 'record',
  usage: 'verify FILE [--key KEY]',
  about: "verifies a record.json, an agent's figures that a service signed; calls no service",
  options: {
    key: { type: 'string', value: 'KEY', about: 'the key of the service, whpk_...; otherwise that of the file' },
  },
  words: [2, 2],
  async run({ given, words: [action = '', path = ''], output }) {
    if (action !== 'verify') throw new UsageError(`The first word must be verify (got ${action}).`);
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw new UsageError(`FILE must be a readable file: ${error instanceof Error ? error.message : String(error)}.`);
    });
    const key = given.text('key');
    const record = await verifyRecord(text, { key });
    const {
      name,
      period,
      rounds,
      points,
      edge,
      rules_version: rules,
      signed_at: at,
      origin,
      signed_by: signedBy,
    } = record;
    output.json({ ...record, key_given: key !== undefined });
    const margin = edge === null || edge.low === null ? '' : ` (${edge.low} to ${edge.high})`;
    output.line(`${name}, ${period}: ${rounds} rounds, ${points} points, edge ${edge?.mean ?? 'none'}${margin}`);
    output.line(`rules version ${rules}, signed at ${at} by ${signedBy} of ${origin}`);
    if (key === undefined) output.note('The key is that of the file: compare it with the one of the service.');
  },
};

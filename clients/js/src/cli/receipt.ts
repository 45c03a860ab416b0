import type { Submission } from '../reference.ts';
import { type Command, wholeNumber } from './command.ts';
import type { Output } from './output.ts';

export const RECEIPT: Command = {
  name: 'receipt',
  usage: 'PREDICTION [--leaf HASH] [--key KEY]',
  about: 'verifies that the log has the leaf of your prediction; with --leaf, the leaf that you got for your answer',
  options: {
    leaf: { type: 'string', value: 'HASH', about: 'what predict or watch printed; otherwise it is not compared' },
    key: { type: 'string', value: 'KEY', about: 'the key of the log; otherwise those that the service names' },
  },
  words: [1, 1],
  needsKey: true,
  async run({ connect, given, words: [text = ''], output, signal }) {
    const id = wholeNumber('PREDICTION', text, { min: 1, max: Number.MAX_SAFE_INTEGER });
    const receipt = await connect().receipt(id, { signal });
    const key = given.text('key');
    const place = await receipt.verify({ leaf: given.text('leaf'), keys: key === undefined ? undefined : [key] });
    output.json({ ...receipt, verified: place !== null });
    output.line(receipt.leaf.trimEnd());
    output.line(`leaf hash ${receipt.leaf_hash}`);
    output.line(
      place === null
        ? 'The log does not have it yet: its round has not closed, or closed before the log began.'
        : `The log ${place.origin} has it: leaf ${place.index} of ${place.size}, under a signed checkpoint.`,
    );
  },
};

/** Prints the command that verifies a submission later. */
export function showReceipt({ prediction, leaf_hash: leaf }: Submission, output: Output): void {
  if (leaf !== undefined) output.line(`Its receipt: hourcast-client receipt ${prediction.id} --leaf ${leaf}`);
}

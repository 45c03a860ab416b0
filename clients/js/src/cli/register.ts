import { ACCOUNT_FILE } from '../settings.ts';
import { register } from './account.ts';
import type { Command } from './command.ts';

/** The key goes into a file and nowhere else. */
export const REGISTER: Command = {
  name: 'register',
  usage: 'NAME [--spectate]',
  about: `registers a name, and stores its key in ${ACCOUNT_FILE} of this folder`,
  options: { spectate: { type: 'boolean', about: 'only watch, until "activate"' } },
  words: [1, 1],
  async run({ connect, words: [name = ''], given, output, signal }) {
    // Without a key, also if the environment has one.
    const client = connect({ key: '' });
    const mode = given.has('spectate') ? 'spectate' : 'compete';
    const account = await register({ name, mode }, { client, signal });
    output.json({ agent: account.agent, mode, url: account.url, file: ACCOUNT_FILE });
    output.line(`${output.paint('bold', account.agent)} is registered at ${account.url}.`);
    output.line(`Its key is in ${ACCOUNT_FILE}, which only you can read; it is not shown anywhere else.`);
  },
};

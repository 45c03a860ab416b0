import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';

export const ACTIVATE: Command = {
  name: 'activate',
  usage: '',
  about: 'makes your agent a competitor, if it registered to watch',
  options: {},
  words: [0, 0],
  needsKey: true,
  async run({ connect, output, signal }) {
    const { message, mode, next_round: next } = await connect().activate({ signal });
    output.json({ mode, message, next_round: next });
    output.line(message);
    return EXIT.done;
  },
};

import type { Command } from './command.ts';

export const ACTIVATE: Command = {
  name: 'activate',
  about: 'makes your agent a competitor, if it registered to watch',
  needsKey: true,
  async run({ connect, output, signal }) {
    const { message, mode, next_round: next } = await connect().activate({ signal });
    output.json({ mode, message, next_round: next });
    output.line(message);
  },
};

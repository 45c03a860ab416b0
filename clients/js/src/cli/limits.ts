import type { Command } from './command.ts';
import { columns } from './figures.ts';

export const LIMITS: Command = {
  name: 'limits',
  about: 'shows all budgets of your requests and what is left of them',
  needsKey: true,
  async run({ connect, output, signal }) {
    const limits = await connect().myLimits({ signal });
    output.json(limits);
    if (limits.unlimited) return output.line('This service limits no requests.');
    const rows = limits.budgets.map(
      ({ name, limit, remaining, window_seconds: seconds, resets_in_seconds: resets, scope }) => [
        name,
        String(remaining),
        String(limit),
        seconds === 60 ? 'minute' : 'hour',
        scope,
        resets === 0 ? '' : String(resets),
      ],
    );
    const head = ['budget', 'left', 'of', 'per', 'and', 'ends in s'];
    for (const line of columns([head, ...rows])) output.line(line);
  },
};

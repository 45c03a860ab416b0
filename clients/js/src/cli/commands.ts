import { ACTIVATE } from './activate.ts';
import { BACKTEST } from './backtest.ts';
import type { Command } from './command.ts';
import { DOCTOR } from './doctor.ts';
import { UsageError } from './exit-codes.ts';
import { EXPORT } from './export.ts';
import { PREDICT } from './predict.ts';
import { REGISTER } from './register.ts';
import { REVIEW } from './review.ts';
import { WATCH } from './watch.ts';

/** What the command line does, in the order in which a newcomer needs it. */
export const COMMANDS: readonly Command[] = [REGISTER, ACTIVATE, DOCTOR, PREDICT, WATCH, REVIEW, BACKTEST, EXPORT];

/** Throws `UsageError` for a name that is none. */
export function commandCalled(name: string): Command {
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) return command;
  throw new UsageError(`There is no command ${name}; there are ${COMMANDS.map((one) => one.name).join(', ')}.`);
}

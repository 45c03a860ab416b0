import { ACTIVATE } from './activate.ts';
import { BACKTEST } from './backtest.ts';
import type { Command } from './command.ts';
import { DOCTOR } from './doctor.ts';
import { UsageError } from './exit-codes.ts';
import { EXPORT } from './export.ts';
import { INIT } from './init.ts';
import { LIMITS } from './limits.ts';
import { PREDICT } from './predict.ts';
import { RECEIPT } from './receipt.ts';
import { RECORD } from './record.ts';
import { REGISTER } from './register.ts';
import { REVIEW } from './review.ts';
import { STANDING } from './standing.ts';
import { WATCH } from './watch.ts';
import { WEBHOOKS } from './webhooks.ts';

/** In the order in which a newcomer needs them. */
export const COMMANDS: readonly Command[] = [
  INIT,
  REGISTER,
  ACTIVATE,
  DOCTOR,
  PREDICT,
  WATCH,
  STANDING,
  WEBHOOKS,
  LIMITS,
  REVIEW,
  RECEIPT,
  RECORD,
  BACKTEST,
  EXPORT,
];

/** Throws `UsageError` for an unknown name. */
export function commandCalled(name: string): Command {
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) return command;
  throw new UsageError(`There is no command ${name}; the commands are ${COMMANDS.map((one) => one.name).join(', ')}.`);
}

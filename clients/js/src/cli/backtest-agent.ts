import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type AsOfMarket, programInput } from '../backtest/as-of.ts';
import type { Agent } from '../backtest/backtest.ts';
import { answerOf, runProgram } from './answer-program.ts';
import type { Context } from './command.ts';
import { UsageError } from './exit-codes.ts';

/** Timeout of one answer: a whole hour, the most that a live round leaves. */
const PROGRAM_MS = 3_600_000;

/** The program of `--answer`, or the function in the module of `--agent`. */
export async function agentOf({ given, signal }: Context): Promise<Agent> {
  const [command, file] = [given.text('answer'), given.text('agent')];
  if ((command === undefined) === (file === undefined)) {
    throw new UsageError(
      "Either --answer must name a program, such as './bot', or --agent a module, such as ./agent.mjs.",
    );
  }
  if (command !== undefined) {
    return (market) =>
      runProgram(command, { input: JSON.stringify(programInput(market)), timeoutMs: PROGRAM_MS, signal });
  }
  const module = await import(pathToFileURL(resolve(file ?? '')).href).catch((cause: unknown) => {
    throw new UsageError(`--agent must be a module that can be loaded (${String(cause)}).`);
  });
  const { default: answer } = module;
  if (typeof answer !== 'function') throw new UsageError(`${file} must have a function as its default export.`);
  return async (market: AsOfMarket) => {
    const answered: unknown = await answer(market);
    return answered === null || answered === undefined ? null : answerOf(answered);
  };
}

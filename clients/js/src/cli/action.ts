import type { Command, Context } from './command.ts';
import { UsageError } from './exit-codes.ts';

/** A part of a command, chosen by its first word. */
export interface Action {
  /** The arguments after its name. */
  readonly usage: string;
  /** The number of them. */
  readonly words: readonly [min: number, max: number];
  readonly run: (context: Context) => Promise<void>;
}

type Named = Pick<Command, 'name' | 'about' | 'options'>;

/** A command whose first word names an action; without a word the first action runs. The key is needed. */
export function commandOf(named: Named, actions: Readonly<Record<string, Action>>): Command {
  const names = Object.keys(actions);
  return {
    ...named,
    usage: Object.entries(actions)
      .map(([name, { usage }]) => `${name} ${usage}`.trim())
      .join(' | '),
    words: [0, 100],
    needsKey: true,
    run(context) {
      const [name = names[0] ?? '', ...words] = context.words;
      const action = actions[name];
      if (action === undefined)
        throw new UsageError(`The first word must be one of ${names.join(', ')} (got ${name}).`);
      const [min, max] = action.words;
      if (words.length < min || words.length > max)
        throw new UsageError(`Usage: ${`${named.name} ${name} ${action.usage}`.trim()}.`);
      return action.run({ ...context, words });
    },
  };
}

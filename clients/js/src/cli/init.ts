import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { checkAgentName } from '../../../../src/rules/agents.ts';
import { register } from './account.ts';
import type { Command } from './command.ts';
import { UsageError } from './exit-codes.ts';

/** A file is made of its parts, in order. */
type Files = Readonly<Record<string, readonly string[]>>;

/** `scaffold.json`, which both clients read. */
interface Scaffold {
  readonly files: Files;
  readonly languages: Readonly<
    Record<string, { readonly files: Files; readonly words: Readonly<Record<string, string>> }>
  >;
}

export const INIT: Command = {
  name: 'init',
  usage: 'NAME [--language js|python|llm] [--register]',
  about: 'makes the folder NAME with a bot, its test and its schedules',
  options: {
    language: { type: 'string', value: 'LANGUAGE', about: 'js, python, or llm for one on a language model (js)' },
    register: { type: 'boolean', about: 'registers the name at once; otherwise the first run of the bot does' },
  },
  words: [1, 1],
  async run({ words: [name = ''], given, output, signal, connect }) {
    const client = connect({ key: '' });
    const language = given.text('language') ?? 'js';
    const made = filesOf(checkedName(name), { language, url: client.url });
    if (existsSync(name) && !statSync(name).isDirectory())
      throw new UsageError(`${name} must be a folder, or not exist (it is a file).`);
    const taken = Object.keys(made.files).find((file) => existsSync(join(name, file)));
    if (taken !== undefined)
      throw new UsageError(
        `${name} must have no file of the bot (it has ${taken}): move it away, or choose another name.`,
      );
    mkdirSync(name, { recursive: true });
    const isRegistered = given.has('register');
    if (isRegistered) await register({ name }, { client, signal }, name);
    for (const [file, text] of Object.entries(made.files)) {
      mkdirSync(dirname(join(name, file)), { recursive: true });
      writeFileSync(join(name, file), text, { flag: 'wx' });
    }
    output.json({
      folder: name,
      language,
      url: client.url,
      registered: isRegistered,
      files: Object.keys(made.files).toSorted(),
    });
    output.line(`${output.paint('bold', name)} is a bot for ${client.url}. Its test needs no service:`);
    output.line(`  cd ${name} && ${made.test}`);
    output.line('README.md has its first run and its schedules.');
  },
};

/** Throws `UsageError` by the rule of registration. */
function checkedName(name: string): string {
  try {
    checkAgentName(name);
    return name;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** In the package, then in the repository. */
const FOLDERS = ['../scaffold/', '../../../scaffold/'].map((path) => new URL(path, import.meta.url));

function filesOf(name: string, { language, url }: { readonly language: string; readonly url: string }) {
  const folder = FOLDERS.find((one) => existsSync(new URL('scaffold.json', one)));
  const read = (part: string): string => readFileSync(new URL(part, folder), 'utf8');
  const { files: common, languages }: Scaffold = JSON.parse(read('scaffold.json'));
  const chosen = Object.hasOwn(languages, language) ? languages[language] : undefined;
  if (chosen === undefined)
    throw new UsageError(`--language must be one of ${Object.keys(languages).join(', ')} (got ${language}).`);
  const words: Scaffold['languages'][string]['words'] = {
    ...chosen.words,
    NAME: name,
    URL: url,
    MINUTE: String(minuteOf(name)),
    FOLDER: plainFolder(name),
  };
  const filled = (text: string): string =>
    text.replaceAll(/__([A-Z]+)__/g, (whole, word: string) => words[word] ?? whole);
  const files: Record<string, string> = {};
  for (const [file, parts] of Object.entries({ ...common, ...chosen.files }))
    files[filled(file)] = filled(parts.map(read).join('\n'));
  return { files, test: chosen.words['TEST'] ?? '' };
}

/** Crontabs, units and shells each quote other characters in their own way. */
function plainFolder(name: string): string {
  const folder = resolve(name);
  if (!/['"%\n]/.test(folder)) return folder;
  throw new UsageError(`The folder's path must have no quotes, percent signs or line breaks (got ${folder}).`);
}

/** From 7 to 47: bots spread over the hour, and none runs with the crowd at minute 0. */
function minuteOf(name: string): number {
  return 7 + Array.from(name.toLowerCase()).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 41, 0);
}

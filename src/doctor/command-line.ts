import { parseArgs } from 'node:util';

import { type Variables, withExitCodes } from '../command-line.ts';
import { onDatabase } from '../database/on-database.ts';
import { realNow } from '../clock.ts';
import { readConfig } from '../config.ts';
import { withClient } from '../database/connection.ts';
import { codeOf } from '../database/failures.ts';
import { StartError } from '../rules/errors.ts';
import { pepperMark } from '../resolvers/keys.ts';
import { examine } from './doctor.ts';

const HELP = `npx hourcast doctor [--json]
  Says what is wrong with the deployment that the settings of this shell (and .env) describe, and what is worth knowing.
  With HOURCAST_URL and ADMIN_TOKEN the service there is asked, too. Exit code: 0 nothing is wrong, 1 something is, 2 a
  wrong command.
npx hourcast doctor --new-pepper
  Makes KEY_PEPPER that of the database, where it was replaced on purpose. Keys of before stay invalid, and the next
  start makes a new service key.
`;
const OPTIONS = {
  json: { type: 'boolean' },
  'new-pepper': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** PostgreSQL's code. */
const NO_TABLE = '42P01';

export const doctorCommand = withExitCodes(async (words: readonly string[], variables: Variables) => {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  if (values.help === true) return { code: 0, stdout: HELP };
  if (values['new-pepper'] === true) return { code: 0, stdout: await newPepper(variables) };
  const found = await examine(variables, realNow);
  const faults = found.filter(({ wrong }) => wrong);
  const notes = found.filter(({ wrong }) => !wrong);
  const lines = [...faults, ...notes].map(
    ({ check, wrong, what }) => `${wrong ? 'wrong' : 'note '}  ${check}: ${what}`,
  );
  const end = faults.length === 0 ? 'No check on this machine found anything wrong.' : `${faults.length} wrong.`;
  const text = values.json
    ? JSON.stringify({ ok: faults.length === 0, findings: found }, null, 2)
    : [...lines, end].join('\n');
  return { code: faults.length === 0 ? 0 : 1, stdout: `${text}\n` };
}, HELP);

async function newPepper(variables: Variables): Promise<string> {
  const config = readConfig(variables);
  // Private keys that the former pepper encrypted cannot be read again.
  const statement = `
    with marked as (update platform set pepper_mark = $1 where pepper_mark is distinct from $1 returning id)
    update service_keys set private_key = null, retired_at = coalesce(retired_at, now())
    where sealed and private_key is not null and exists (select from marked)`;
  const marked = onDatabase(config, (connection) =>
    withClient(connection, (client) => client.query(statement, [pepperMark(config.keyPepper)])),
  );
  await marked.catch((cause: unknown) => {
    if (codeOf(cause) !== NO_TABLE) throw cause;
    throw new StartError('The database must be one of this service, but has none of its tables.', { cause });
  });
  return 'KEY_PEPPER is that of the database now.\n';
}

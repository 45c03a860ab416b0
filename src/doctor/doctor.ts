import { statfs } from 'node:fs/promises';

import { misspelt, type Variables } from '../command-line.ts';
import { faultsOfRedis } from '../backplane/redis/faults.ts';
import { readConfig } from '../config.ts';
import { type DatabaseConnection, parseDatabaseUrl, withClient } from '../database/connection.ts';
import { reason } from '../database/failures.ts';
import { onDatabase } from '../database/on-database.ts';
import { serverOf, takesWrites } from '../database/primary.ts';
import { SECOND } from '../rules/hours.ts';
import { DATABASE_CHECKS } from './database.ts';
import { type Finding, findings, type Remark, type Deployment } from './finding.ts';
import { exchanges, service } from './surroundings.ts';

/** A disk is nearly full if its free space is below both this share and these bytes. */
const SMALL_SHARE = 0.2;
const SMALL_BYTES = 10e9;
const QUERY_MS = 5 * SECOND;

/** The problems and notes of a deployment with these settings, as seen from this machine. */
export async function examine(variables: Variables, now: () => Date): Promise<readonly Finding[]> {
  const given = await findings({ settings }, variables);
  if (given.some(({ wrong }) => wrong)) return given;
  const deployment: Deployment = { config: readConfig(variables), variables, now, platform: null };
  const inside: Finding[] = [];
  const database = async (): Promise<readonly Remark[]> => {
    const look = (connection: DatabaseConnection): Promise<void> =>
      withClient(
        connection,
        async (client) => {
          // It does not exist before the first start, and some roles may not read it.
          const found = await client.query('select to_jsonb(p) as row from platform p').catch(() => null);
          deployment.platform = found?.rows[0]?.row ?? null;
          inside.push(...(await findings(DATABASE_CHECKS, { ...deployment, client })));
        },
        { query_timeout: QUERY_MS },
      );
    await onDatabase(deployment.config, look);
    return [];
  };
  // A feed process reads neither its settings of the database nor prices.
  if (deployment.config.role === 'feed') return [...given, ...(await findings({ redis, service }, deployment))];
  const reached = await findings({ servers, replica, database, disk, redis }, deployment);
  return [...given, ...reached, ...inside, ...(await findings({ exchanges, service }, deployment))];
}

const note = (holds: boolean, text: string): Remark => (holds ? { note: text } : null);

function settings(variables: Variables): readonly Remark[] {
  const { adminToken, rateLimits, databaseUrl, keyPepper } = readConfig(variables);
  return [
    ...misspelt(Object.keys(variables)).map(({ name, meant }) => ({
      note: `${name} is not a setting; did you mean ${meant}?`,
    })),
    note(adminToken === undefined, 'ADMIN_TOKEN is unset: no one can operate the service.'),
    note(!rateLimits, 'RATE_LIMITS is off: requests are not limited.'),
    note(
      databaseUrl !== undefined && keyPepper === undefined,
      'KEY_PEPPER is unset: keys are stored as plain SHA-256.',
    ),
  ];
}

/** Checks that each server of a list responds and one accepts writes; the database check covers a single one. */
async function servers({ config: { databaseUrl } }: Deployment): Promise<readonly Remark[]> {
  const connection = databaseUrl === undefined ? null : parseDatabaseUrl(databaseUrl);
  if (!connection?.host.includes(',')) return [];
  const remarks: Remark[] = [];
  const writable: string[] = [];
  for (const server of connection.host.split(',')) {
    await withClient({ ...connection, ...serverOf(server) }, takesWrites)
      .then((takes) => takes && writable.push(server))
      .catch((error: unknown) => remarks.push(`${server} of DATABASE_URL does not answer: ${reason(error)}`));
  }
  const which = writable.join(' and ') || 'none';
  return writable.length === 1
    ? remarks
    : [...remarks, `One server of DATABASE_URL must accept writes (got ${which}).`];
}

async function replica({ config: { databaseReadUrl } }: Deployment): Promise<readonly Remark[]> {
  if (databaseReadUrl === undefined) return [];
  if (!(await withClient(parseDatabaseUrl(databaseReadUrl), takesWrites))) return [];
  return ['DATABASE_READ_URL must name a standby (it takes writes): it is not read.'];
}

async function disk({ config: { databaseUrl, dataDir } }: Deployment): Promise<readonly Remark[]> {
  if (databaseUrl !== undefined)
    return [{ note: 'PostgreSQL does not report its free disk space: monitor it yourself.' }];
  const { bavail, blocks, bsize } = await statfs(dataDir).catch(() => ({ bavail: 0, blocks: 0, bsize: 0 }));
  if (bavail * bsize >= SMALL_BYTES || bavail >= blocks * SMALL_SHARE) return [];
  const share = Math.round((100 * bavail) / blocks);
  return [`The disk of DATA_DIR has ${((bavail * bsize) / 1e9).toFixed(1)} GB left, ${share} % of it.`];
}

async function redis({ config }: Deployment): Promise<readonly Remark[]> {
  return config.redis === null ? [] : faultsOfRedis(config.redis);
}

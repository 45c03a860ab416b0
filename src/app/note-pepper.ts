import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { Platform } from '../entities/platform.ts';
import type { Logger } from '../logger.ts';
import { pepperMark } from '../resolvers/keys.ts';

export const OTHER_PEPPER =
  'KEY_PEPPER is not the one that this database’s keys are hashed with: agents with such keys are refused. Set the previous KEY_PEPPER; ' +
  'if it was replaced on purpose, run `npx hourcast doctor --new-pepper` to make this one the database’s.';

export async function notePepper(
  em: SqlEntityManager,
  pepper: string | undefined,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  await em.nativeUpdate(Platform, { pepperMark: null }, { pepperMark: pepperMark(pepper) });
  const { pepperMark: noted } = await em.findOneOrFail(Platform, { id: 1 });
  if (noted !== pepperMark(pepper)) log.warn(OTHER_PEPPER);
}

import { type DatabaseAddress, openOrm } from './orm.ts';

/** Brings the database's schema up to date; does nothing when it is. */
export async function migrate(address: DatabaseAddress): Promise<void> {
  const orm = await openOrm(address, 1);
  try {
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}

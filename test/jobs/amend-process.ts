import { openOrm } from '../../src/database/orm.ts';
import { amendRound } from './amended-round.ts';

/* Amends a round and ends: the connection and the round with its new answer are its argument. */

const { connection, id, outcome } = JSON.parse(process.argv[2] ?? '');
const orm = await openOrm(connection);
await amendRound({ newEm: () => orm.em.fork() }, id, outcome);
await orm.close(true);

import { Migration } from '@mikro-orm/migrations';

/**
 * What a prediction was worth beside the price and the crowd, and how hard its round was. Null in the rows of versions
 * before, and of one that still runs beside this one.
 */
export class FairScores extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table scores add column confidence smallint null;
alter table scores add column edge_millionths int null;
alter table scores add column contribution_billionths int null;
alter table scores add column peer_millionths int null;
alter table rounds add column difficulty_millionths int null;
`;

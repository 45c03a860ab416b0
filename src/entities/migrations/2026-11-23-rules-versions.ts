import { Migration } from '@mikro-orm/migrations';

/**
 * Each round has the version of the rules that it is scored by; those that are stored already, and what a version before
 * this one stores, have the first. Standings count the predictions without an edge, of which there were none until now.
 */
export class RulesVersions extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const WITHOUT_EDGE = ['daily', 'weekly', 'monthly', 'alltime'].map(
  (window) => `add column ${window}_without_edge int not null default 0`,
);

const SCHEMA = `
alter table rounds add column rules_version smallint not null default 1,
  add constraint rounds_rules_version_check check (rules_version >= 1);
alter table standings ${WITHOUT_EDGE.join(',\n  ')};
`;

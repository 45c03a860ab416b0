import { Migration } from '@mikro-orm/migrations';

/**
 * `key_hash` takes the hex of a SHA-256 alone: a slip of an operator that would lock an agent out is refused. No key has
 * another hash, so agents with one have been locked out already: these get one that is of that form, and of no key.
 */
export class HashesOfKeys extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
lock table agents in access exclusive mode;
update agents set key_hash = encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex')
  where key_hash !~ '^[0-9a-f]{64}$';
alter table agents add constraint agents_key_hash_check check (key_hash ~ '^[0-9a-f]{64}$');
`;

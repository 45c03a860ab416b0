import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { STANDING_COLUMNS } from './standing-statements.ts';
import { rows } from '../../reads/sql.ts';

/** What the schema itself hangs on `standings`, beside its columns. */
const OWN_INDEXES = ['standings_pkey', 'standings_tier', 'standings_points'];
const OWN_CONSTRAINTS = [
  'standings_pkey',
  'standings_agent_id_foreign',
  'standings_streak_check',
  'standings_wins_check',
  'standings_tier_check',
];

/**
 * What others have attached to `standings` and another table in its place would lack, in PostgreSQL's words: views, rules,
 * triggers, policies, statistics, indexes, keys, publications, rights that are not the owner's to give again, settings,
 * comments and labels. To be asked under a lock that keeps such from being added.
 */
export async function attachmentsOfOthers(transaction: SqlEntityManager): Promise<readonly string[]> {
  const found = await rows<{ what: string }>(transaction)`
    with t as materialized (
      select c.*, y.typarray from pg_class c join pg_type y on y.oid = c.reltype where c.oid = 'standings'::regclass
    ), own as materialized (
      select 'pg_class'::regclass as class, k.oid as id
      from t join pg_index i on i.indrelid = t.oid join pg_class k on k.oid = i.indexrelid
      where k.relname = any(${OWN_INDEXES}::text[])
      union all
      -- Columns that may not be null are copied with them.
      select 'pg_constraint'::regclass, k.oid from t join pg_constraint k on k.conrelid = t.oid
      where k.contype = 'n' or k.conname = any(${OWN_CONSTRAINTS}::text[])
      union all select 'pg_attrdef'::regclass, d.oid from t join pg_attrdef d on d.adrelid = t.oid
      union all select 'pg_type'::regclass, unnest(array[reltype, typarray]) from t
      union all select 'pg_class'::regclass, reltoastrelid from t
    )
    select distinct what from (
      select pg_describe_object(d.classid, d.objid, d.objsubid) as what
      from t join pg_depend d on (d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid)
        or (d.refclassid = 'pg_type'::regclass and d.refobjid in (t.reltype, t.typarray))
      where (d.classid, d.objid) not in (select class, id from own) and d.classid <> 'pg_publication_rel'::regclass
      union all
      select pg_describe_object(d.refclassid, d.refobjid, 0)
      from t join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = t.oid and d.objsubid = 0
        and d.refclassid in ('pg_class'::regclass, 'pg_extension'::regclass)
      -- Those of all tables and of whole schemas too, where the new table's rows would be sent under a name that no subscriber knows.
      union all
      select 'publication ' || p.pubname from t
      join pg_namespace n on n.oid = t.relnamespace
      join pg_publication_tables p on p.schemaname = n.nspname and p.tablename = t.relname
      union all
      select 'column ' || a.attname from t join pg_attribute a on a.attrelid = t.oid
      where a.attnum > 0 and not a.attisdropped and (a.attname <> all(${STANDING_COLUMNS}::text[])
        or a.attacl is not null or a.attoptions is not null or coalesce(a.attstattarget, -1) >= 0)
      union all
      select 'settings of table ' || relname from t
      where relrowsecurity or relforcerowsecurity or relreplident <> 'd' or reltablespace <> 0 or relpersistence <> 'p'
        or exists (select from pg_class where oid = t.reltoastrelid and reloptions is not null)
      union all
      select 'settings of index ' || k.relname from t join pg_index i on i.indrelid = t.oid join pg_class k on k.oid = i.indexrelid
      where i.indisclustered or i.indisreplident or k.reltablespace <> 0 or k.reloptions is not null
      union all
      select 'rights on table ' || relname from t
      where not relacl @> (acldefault('r', relowner))[1]
        or exists (select from aclexplode(relacl) where grantor <> relowner)
        or exists (select from pg_default_acl d where d.defaclrole = t.relowner and d.defaclobjtype = 'r'
          and d.defaclnamespace in (0, t.relnamespace))
      union all
      select 'comment on ' || pg_describe_object(d.classoid, d.objoid, 0) from pg_description d
      where d.objsubid = 0 and ((d.classoid, d.objoid) in (select class, id from own)
        or (d.classoid = 'pg_class'::regclass and d.objoid = (select oid from t)))
      union all
      select 'label of ' || pg_describe_object(l.classoid, l.objoid, l.objsubid) from pg_seclabel l
      where l.classoid = 'pg_class'::regclass and l.objoid = (select oid from t)
    ) attached order by 1`;
  return found.map(({ what }) => what);
}

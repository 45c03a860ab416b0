import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { RawBuilder } from 'kysely';

import { type Connection, pageOf } from '../../src/reads/plan/page.ts';
import { type Column, fieldsNamed, plain } from '../../src/reads/plan/plan.ts';
import type { PageOfList } from '../../src/reads/paging.ts';
import { byEntityManager } from '../../src/reads/plan/read-column.ts';

const PAGE_INFO = fieldsNamed('hasNextPage', 'hasPreviousPage', 'endCursor');

/** A page's nodes and position, as a field selects them. */
export function pageOfIds(page: PageOfList, id: RawBuilder<number>): Column<Connection<number>> {
  const selected = fieldsNamed('nodes', 'pageInfo').map((field) =>
    field.name === 'pageInfo' ? { ...field, selected: PAGE_INFO } : field,
  );
  return pageOf(page, selected, () => plain(id));
}

/** The ids and the position of a page. */
export function readIds(em: SqlEntityManager, page: PageOfList, id: RawBuilder<number>): Promise<Connection<number>> {
  return byEntityManager(em)(pageOfIds(page, id));
}

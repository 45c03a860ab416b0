import type { TestService } from '../../support/service.ts';
import { dataOf } from '../../support/asking.ts';

/** A page as the tests look at it. */
export interface Walked {
  readonly ids: readonly number[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/**
 * A list by the fields that lead to it, such as `['agent(id: 1)', 'predictions(orderBy: NEWEST)']`; the last one takes
 * `first` and `after` besides its own arguments.
 */
export type Path = readonly string[];

export async function pageAt(
  service: TestService,
  path: Path,
  { first, after }: { readonly first?: number; readonly after?: string | null } = {},
): Promise<Walked> {
  const paging = [
    ...(first === undefined ? [] : [`first: ${first}`]),
    ...(after == null ? [] : [`after: ${JSON.stringify(after)}`]),
  ];
  const [list = '', ...parents] = path.toReversed();
  const [name = '', own = ''] = list.replace(/\)$/, '').split('(');
  const args = [own, ...paging].filter((text) => text !== '').join(', ');
  const field = `${name}${args === '' ? '' : `(${args})`}`;
  const document = parents.reduce(
    (inner, parent) => `${parent} { ${inner} }`,
    `${field} { edges { cursor node { id } } nodes { id }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`,
  );
  let page = await dataOf(service, `{ ${document} }`);
  for (const step of path) page = page[step.split('(')[0] ?? ''];
  return walked(page);
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: number } }[];
  readonly nodes: readonly { readonly id: number }[];
  readonly pageInfo: Omit<Walked, 'ids'>;
}

/** What the page says in two places must be the same. */
function walked({ edges, nodes, pageInfo }: Page): Walked {
  const ids = nodes.map(({ id }) => id);
  const same = JSON.stringify(edges.map(({ node }) => node.id)) === JSON.stringify(ids);
  const ends = [edges.at(0)?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  if (!same || ends[0] !== pageInfo.startCursor || ends[1] !== pageInfo.endCursor)
    throw new Error(`A page contradicts itself: ${JSON.stringify({ edges, nodes, pageInfo })}`);
  return { ids, ...pageInfo };
}

/** Every page of a list, one after the other; `between` happens after each. */
export async function walk(
  service: TestService,
  path: Path,
  { first = 3, between }: { readonly first?: number; readonly between?: () => Promise<void> } = {},
): Promise<readonly Walked[]> {
  const pages: Walked[] = [];
  let after: string | null = null;
  for (;;) {
    const page: Walked = await pageAt(service, path, { first, after });
    pages.push(page);
    if (!page.hasNextPage) return pages;
    after = page.endCursor;
    await between?.();
  }
}

/** The ids of a whole list. */
export async function idsOf(service: TestService, path: Path, first = 100): Promise<readonly number[]> {
  return (await walk(service, path, { first })).flatMap(({ ids }) => ids);
}

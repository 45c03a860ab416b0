import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { FormEnd, useAttempt } from './form.tsx';

/** A page of a list. */
interface ListPage<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface MoreProps<Node> {
  readonly first: ListPage<Node>;
  /** Of which list it is: of another one pages are asked for anew. */
  readonly of: string;
  readonly next: (after: string | null) => Promise<ListPage<Node> | undefined>;
  /** Of the button that asks for the next page. */
  readonly text: string;
  /** Whether there is more than the last page knew of. */
  readonly grows?: (known: number) => boolean;
  readonly children: (nodes: readonly Node[]) => ComponentChildren;
}

/** A list that goes on: its first page, and those that were asked for since. */
export function More<Node extends { readonly id: number }>(props: MoreProps<Node>) {
  const { first, of, next, text, grows, children } = props;
  const [more, setMore] = useState<{ of: string; pages: readonly ListPage<Node>[] }>({ of, pages: [] });
  const loading = useAttempt();
  const pages = [first, ...(more.of === of ? more.pages : [])];
  // What was added since shifts the first page, so that one may come on two.
  const nodes = [...new Map(pages.flatMap((page) => page.nodes.map((node) => [node.id, node]))).values()];
  const { hasNextPage, endCursor } = pages.at(-1)?.pageInfo ?? first.pageInfo;
  const goOn = async (): Promise<void> => {
    const page = await next(endCursor);
    if (page && page.nodes.length > 0) setMore({ of, pages: [...pages.slice(1), page] });
  };
  return (
    <>
      {children(nodes)}
      {(hasNextPage || grows?.(nodes.length)) && <FormEnd of={loading} act={goOn} text={text} />}
    </>
  );
}

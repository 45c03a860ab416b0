import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** An action in progress, and its last error. */
export function useAttempt() {
  const [isTrying, setTrying] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Runs the action; an error becomes `problem`. */
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    if (isTrying) return;
    setTrying(true);
    setProblem(null);
    try {
      await act();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setTrying(false);
  };
  return { isTrying, problem, attempt };
}

interface FormEndProps {
  readonly of: ReturnType<typeof useAttempt>;
  readonly text: string;
  /** The button's text while it runs. */
  readonly during?: string;
  /** The button's action outside a form. */
  readonly act?: () => Promise<void>;
}

/** The error and the button, at the end of a form or a list. */
export function FormEnd({ of: { isTrying, problem, attempt }, text, during = 'Loading …', act }: FormEndProps) {
  return (
    <>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button
        type={act ? 'button' : 'submit'}
        class={act ? 'more' : 'primary'}
        // A disabled button would lose the focus.
        aria-disabled={isTrying}
        onClick={act && (() => void attempt(act))}
      >
        {isTrying ? during : act && problem !== null ? 'Try again' : text}
      </button>
    </>
  );
}

interface ListPage<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface MoreProps<Node> {
  readonly first: ListPage<Node>;
  /** Identifies the list: the pages are reloaded when it changes. */
  readonly of: string;
  readonly next: (after: string | null) => Promise<ListPage<Node> | undefined>;
  /** The button's text. */
  readonly text: string;
  /** True: more items exist than at the last page. */
  readonly grows?: (known: number) => boolean;
  readonly children: (nodes: readonly Node[]) => ComponentChildren;
}

/** The first page, and those loaded since, without a gap: these go if a newer first page does not reach them. */
export function More<Node extends { readonly id: number }>(props: MoreProps<Node>) {
  const { first, of, next, text, grows, children } = props;
  const [loaded, setLoaded] = useState<ListPage<Node> & { readonly of: string }>({ ...first, of, nodes: [] });
  const loading = useAttempt();
  const known = loaded.of === of ? loaded.nodes : [];
  // New items shift the first page: the known ones continue after its last one.
  const last = known.findIndex(({ id }) => id === first.nodes.at(-1)?.id);
  const rest = last < 0 ? [] : known.slice(last + 1);
  const nodes = [...first.nodes, ...rest];
  const { hasNextPage, endCursor } = (rest.length > 0 ? loaded : first).pageInfo;
  const goOn = async (): Promise<void> => {
    const page = await next(endCursor);
    if (!page?.nodes.length) return;
    const list = document.querySelector('.more:focus')?.closest('section');
    setLoaded({ of, nodes: [...nodes, ...page.nodes], pageInfo: page.pageInfo });
    // The last page has no button: keyboards continue at the first new row, once it is there.
    setTimeout(() => list?.querySelectorAll<HTMLElement>('th > a, li > a')[nodes.length]?.focus());
  };
  return (
    <>
      {children(nodes)}
      {(hasNextPage || grows?.(nodes.length)) && <FormEnd of={loading} act={goOn} text={text} />}
    </>
  );
}

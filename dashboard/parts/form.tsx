import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** What a visitor has asked for: whether it is under way, and why it failed the last time. */
export interface Attempt {
  readonly isTrying: boolean;
  readonly problem: string | null;
  /** Tries it, and keeps what is thrown as the problem. */
  readonly attempt: (act: () => Promise<void>) => Promise<void>;
}

export function useAttempt(): Attempt {
  const [isTrying, setTrying] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = async (act: () => Promise<void>): Promise<void> => {
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
  readonly of: Attempt;
  readonly text: string;
  /** What the button says while it is tried. */
  readonly during?: string;
  /** What the button does where there is no form that it sends. */
  readonly act?: () => Promise<void>;
}

/** What went wrong, and the button that tries: at the end of a form, and of a list that goes on. */
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
        disabled={isTrying}
        onClick={act && (() => void attempt(act))}
      >
        {isTrying ? during : act && problem !== null ? 'Try again' : text}
      </button>
    </>
  );
}

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

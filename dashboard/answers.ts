import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { type Document, nameOf } from './document.ts';
import { AskError } from './ask.ts';
import { Happenings } from './documents/now.ts';
import { answerKey, useBack, useSession } from './session.ts';

/** `data` keeps the previous answer while a newer one loads. */
export interface Answered<Answer> {
  readonly data: Answer | null;
  readonly error: AskError | null;
  readonly refresh: () => void;
}

/**
 * Queries again when the variables change. Answers that came with the page are not queried again; cached ones show at once and
 * are refreshed. Null variables: nothing is queried. `secret` is the agent's key.
 */
export function useAnswer<Answer, Variables>(
  document: Document<Answer, Variables>,
  variables: Variables | null,
  { first, secret }: { readonly first?: Answer | undefined; readonly secret?: string | undefined } = {},
): Answered<Answer> {
  const { ask, answers, brought } = useSession();
  // Answers for one key are never shown to another.
  const key = answerKey(nameOf(document), variables) + (secret ?? '');
  const [state, setState] = useState<Stored<Answer>>(() => {
    if (first !== undefined) keep(answers, key, first);
    return stored(key, answers);
  });
  const [turn, setTurn] = useState(0);
  const isFresh = useRef<boolean | null>(null);
  isFresh.current ??= brought.delete(key) || first !== undefined;
  const current: Stored<Answer> = state.key === key ? state : stored(key, answers);
  useEffect(() => {
    // Answers that came with the page are fresh.
    if (isFresh.current || variables === null) {
      isFresh.current = false;
      return undefined;
    }
    const ending = new AbortController();
    setState((before) => (before.key === key ? before : stored(key, answers)));
    const askNow = async (): Promise<void> => {
      try {
        const data = await ask(document, variables, { signal: ending.signal, key: secret });
        keep(answers, key, data);
        setState({ key, data, error: null });
      } catch (error) {
        if (ending.signal.aborted) return;
        setState((before) => ({ ...before, error: asAskError(error) }));
      }
    };
    void askNow();
    return () => ending.abort();
    // The key includes document and variables.
  }, [key, turn]);
  const refresh = useCallback(() => setTurn((before) => before + 1), []);
  useRetry(current.error, refresh);
  useBack(refresh);
  return { ...current, refresh };
}

interface Stored<Answer> {
  readonly key: string;
  readonly data: Answer | null;
  readonly error: AskError | null;
}

/** The cache key determines the type. */
function stored<Answer>(key: string, answers: Map<string, unknown>): Stored<Answer>;
function stored(key: string, answers: Map<string, unknown>): Stored<unknown> {
  return { key, data: answers.get(key) ?? null, error: null };
}

/** Bounds the memory of a page that is open for days. */
const MOST_KEPT = 40;

function keep(answers: Map<string, unknown>, key: string, data: unknown): void {
  answers.delete(key);
  answers.set(key, data);
  const [oldest = ''] = answers.keys();
  if (answers.size > MOST_KEPT) answers.delete(oldest);
}

/** Retries after an error that may pass. */
function useRetry(error: AskError | null, refresh: () => void): void {
  useEffect(() => {
    if (error === null || !['OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED'].includes(error.code)) return undefined;
    const timer = setTimeout(refresh, error.retryAfter * 1000);
    return () => clearTimeout(timer);
  }, [error, refresh]);
}

function asAskError(error: unknown): AskError {
  return error instanceof AskError ? error : new AskError('INTERNAL');
}

/** Follows a subscription while mounted; restarts it when the variables change. */
export function useLive<Answer, Variables>(
  document: Document<Answer, Variables>,
  variables: Variables & Record<string, unknown>,
  onData: (answer: Answer) => void,
): void {
  const { live } = useSession();
  const latest = useRef(onData);
  latest.current = onData;
  useEffect(
    () => live.follow(document, variables, (answer) => latest.current(answer)),
    [live, answerKey(nameOf(document), variables)],
  );
}

/** Calls back when a round is decided, void or amended, or at `isAny` change of one; heartbeats have none. */
export function useHappenings(again: () => void, isAny?: boolean): void {
  useLive(
    Happenings,
    {},
    ({ events: { round } }) => round && (isAny || (round.outcome ?? round.voidReason)) && again(),
  );
}

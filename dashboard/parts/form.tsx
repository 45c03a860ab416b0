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

import { useState } from 'preact/hooks';

import { RotateKey } from '../documents/me.ts';
import { forgetKey, type KeptKey } from '../kept-key.ts';
import { useSession } from '../session.ts';
import { Copied } from './copied.tsx';
import { useAttempt } from './form.tsx';

export interface KeyPanelProps {
  readonly kept: KeptKey;
  readonly keep: (kept: KeptKey) => void;
  readonly signedOut: () => void;
}

/** The signed-in key: shown, copied, replaced or removed. */
export function KeyPanel({ kept: { key, keeping }, keep, signedOut }: KeyPanelProps) {
  const { answers, ask, origin } = useSession();
  const [status, setStatus] = useState('');
  const { problem, attempt } = useAttempt();
  const rotate = async (): Promise<void> => {
    const { rotateKey } = await ask(RotateKey, {}, { key });
    keep({ key: rotateKey.apiKey, keeping });
    setStatus('The key is replaced, the one before is no longer valid. Give the new one, below, to your programs.');
  };
  const signOut = (): void => {
    forgetKey();
    // Answers for the key are removed with it.
    for (const name of answers.keys()) if (name.endsWith(key)) answers.delete(name);
    signedOut();
  };
  return (
    <section class="panel key" aria-labelledby="my-key">
      <h2 id="my-key">
        The key <small>kept {keeping === 'tab' ? 'until this tab is closed' : 'in this browser'}</small>
      </h2>
      <p class="said" role="status">
        {problem ?? status}
      </p>
      <details>
        <summary>Show it, and a first line for a program</summary>
        <Copied text={key} label="API key" />
        <Copied text={`curl -s ${origin}/api/me -H 'Authorization: Bearer ${key}'`} label="The agent with curl" />
      </details>
      <p class="actions">
        <button type="button" onClick={() => void attempt(rotate)}>
          Replace the key
        </button>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </p>
      <p class="fine">Replacing ends the present key at once, wherever it is used.</p>
    </section>
  );
}

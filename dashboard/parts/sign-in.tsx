import { Me } from '../documents/me.ts';
import type { KeptKey } from '../kept-key.ts';
import { useSession } from '../session.ts';
import { FormEnd, useAttempt } from './form.tsx';

/** Tries the key before keeping it. */
export function SignIn({ done }: { readonly done: (kept: KeptKey) => void }) {
  const { ask } = useSession();
  const signingIn = useAttempt();
  const signIn = async (kept: KeptKey): Promise<void> => {
    await ask(Me, {}, kept);
    done(kept);
  };
  return (
    <div class="page me">
      <h1>My agent</h1>
      <p class="lead">
        With an agent’s key you answer the coming hours by hand and see its record. No key yet?{' '}
        <a href="/join">Join with a name</a>
      </p>
      <form
        class="panel register"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const key = fields.get('key');
          if (typeof key !== 'string') return;
          const kept = { key: key.trim(), keeping: fields.has('long') ? 'browser' : 'tab' } as const;
          void signingIn.attempt(() => signIn(kept));
        }}
      >
        <label>
          <span>The agent’s key</span>
          <input
            name="key"
            type="password"
            pattern="\s*pk_live_[0-9a-f]{48}\s*"
            title="pk_live_ and 48 hexadecimal characters"
            required
            autocomplete="off"
            spellcheck={false}
            aria-describedby="key-rule"
          />
        </label>
        <label class="check">
          <input type="checkbox" name="long" /> <span>Keep it in this browser after the tab is closed</span>
        </label>
        <p class="fine" id="key-rule">
          It is sent to this service alone, as a header. Anybody at this computer can use a key that is kept.
        </p>
        <FormEnd of={signingIn} text="Sign in" during="Signing in …" />
      </form>
    </div>
  );
}

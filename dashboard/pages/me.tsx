import { useState } from 'preact/hooks';

import { forgetKey, keepKey, type KeptKey, keptKey } from '../kept-key.ts';
import { useLater } from '../parts/later.tsx';
import { Loading } from '../parts/notes.tsx';
import { SignIn } from '../parts/sign-in.tsx';
import { useSession } from '../session.ts';

const loadMine = () => import('../parts/mine.tsx');

/** What somebody with an agent's key does and sees: signs in, answers by hand, its record, the key itself. */
export function Page() {
  const { answers } = useSession();
  const later = useLater(loadMine);
  const [kept, setKept] = useState(keptKey);
  const keep = (one: KeptKey): void => {
    keepKey(one);
    setKept(one);
  };
  const signOut = (): void => {
    forgetKey();
    // What was answered to the key goes with it.
    for (const name of answers.keys()) if (kept !== null && name.endsWith(kept.key)) answers.delete(name);
    setKept(null);
  };
  if (kept === null) return <SignIn done={keep} />;
  return <div class="page me">{later ? <later.Mine {...{ kept, keep, signOut }} /> : <Loading />}</div>;
}

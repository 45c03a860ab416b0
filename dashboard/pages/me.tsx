import { useState } from 'preact/hooks';

import { keepKey, type KeptKey, keptKey } from '../kept-key.ts';
import { focusHeading } from '../navigation.ts';
import { useLater } from '../parts/later.tsx';
import { Loading } from '../parts/notes.tsx';
import { SignIn } from '../parts/sign-in.tsx';

const loadMine = () => import('../parts/mine.tsx');

/** Signing in, answering by hand, the agent's record and its key. */
export function Page() {
  const later = useLater(loadMine);
  const [kept, setKept] = useState(keptKey);
  const keep = (one: KeptKey): void => {
    keepKey(one);
    setKept(one);
  };
  const signedOut = (): void => {
    setKept(null);
    // Once the form is there.
    setTimeout(focusHeading);
  };
  if (kept === null) return <SignIn done={keep} />;
  return <div class="page me">{later ? <later.Mine {...{ kept, keep, signedOut }} /> : <Loading />}</div>;
}

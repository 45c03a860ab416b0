import { attempt } from './machine.ts';

/** Until the tab is closed, or in the browser for good. */
type Keeping = 'tab' | 'browser';

export interface KeptKey {
  readonly key: string;
  readonly keeping: Keeping;
}

const NAME = 'hourcast-key';

/** Null if there is none, or storage is blocked. */
export function keptKey(): KeptKey | null {
  for (const keeping of ['tab', 'browser'] as const) {
    const key = attempt(() => storeOf(keeping).getItem(NAME));
    if (key != null) return { key, keeping };
  }
  return null;
}

/** Replaces any other key. Without storage the key is gone with the page. */
export function keepKey({ key, keeping }: KeptKey): void {
  forgetKey();
  attempt(() => storeOf(keeping).setItem(NAME, key));
  markSignedIn();
}

/** Removes the key from the tab and from the browser. */
export function forgetKey(): void {
  for (const keeping of ['tab', 'browser'] as const) attempt(() => storeOf(keeping).removeItem(NAME));
  markSignedIn();
}

/** The style hides the call to join from those who have. */
export function markSignedIn(): void {
  document.body.classList.toggle('signed-in', keptKey() !== null);
}

function storeOf(keeping: Keeping): Storage {
  return keeping === 'tab' ? sessionStorage : localStorage;
}

import type { ComponentChildren } from 'preact';

import { PricesNotice } from './shell.tsx';

/** What is around what a frame shows: who made it, and that its prices may not be real. */
export function EmbedFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <main id="main" class="embed">
      <PricesNotice />
      {children}
      <p class="fine">
        <a href="/">Hourcast</a>: one question an hour for software agents
      </p>
    </main>
  );
}

import type { ComponentChildren } from 'preact';

import { PricesNotice } from './shell.tsx';

/** Links to the source, and warns if prices are not real. */
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

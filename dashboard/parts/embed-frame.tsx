import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { type FailedProps, Pending } from './notes.tsx';
import { PricesNotice } from './shell.tsx';

interface EmbedFrameProps extends FailedProps {
  /** Null while loading. */
  readonly children: ComponentChildren;
}

/** Links to the source, warns if prices are not real, and posts its height to the page around it. */
export function EmbedFrame({ children, error, again }: EmbedFrameProps) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = main;
    if (current === null) return undefined;
    const post = (): void => parent.postMessage({ type: 'hourcast:height', height: current.offsetHeight }, '*');
    const watch = new ResizeObserver(post);
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return (
    <main id="main" class="embed" ref={main}>
      <PricesNotice />
      {children ?? <Pending error={error} again={again} />}
      <p class="fine">
        <a href="/">Hourcast</a>: one question an hour for software agents
      </p>
    </main>
  );
}

import type { ComponentChildren } from 'preact';

interface ScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What may be wider than the screen, and then scrolls by itself, also by keys. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    // Without a tab stop keys could not scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useHello, useSession } from '../session.ts';
import { Scroll } from './tables.tsx';

const SAID_MS = 1500;

export function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div class="copied">
      <Scroll label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </Scroll>
      {/* Browsers offer the clipboard only on secure connections. Node has no `isSecureContext`, and before 21 no `navigator`. */}
      {globalThis.isSecureContext && (
        <button type="button" onClick={() => void copy().catch(() => {})}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  );
}

interface CiteProps {
  readonly title?: string;
  /** An address that lasts; none before one exists. */
  readonly path?: string;
  /** The instant of the figures. */
  readonly at?: string;
  readonly children?: ComponentChildren;
}

/** An address that lasts, the date, the licence, and the rows. */
export function Cite({ title, path, at = '', children }: CiteProps) {
  const { origin } = useSession();
  const time = at.slice(0, 16).replace('T', ' ');
  return (
    <section class="panel" aria-labelledby="cite">
      <h2 id="cite">Cite this</h2>
      {path ? (
        <>
          <Copied text={`${title}. Hourcast, ${time} UTC, ${origin}${path} (CC0 1.0)`} label="The citation" />
          <p class="fine">
            In the public domain. <a href={`${path}.csv`}>Its rows as CSV</a>
          </p>
        </>
      ) : (
        <p>Only finished boards stay as they are; none is finished yet.</p>
      )}
      {children}
    </section>
  );
}

const NOTICE_HEIGHT = 67;

interface FrameCodeProps {
  /** An embeddable page, such as `/embed/agent/1`. */
  readonly path: string;
  /** In pixels, at this width: with room for a long name, without the notice on prices. */
  readonly height: number;
  readonly title: string;
}

/** HTML for another site. */
export function FrameCode({ path, height, title }: FrameCodeProps) {
  const { origin } = useSession();
  const whole = height + (useHello()?.warning == null ? 0 : NOTICE_HEIGHT);
  const text = `<iframe src="${origin}${path}" width="480" height="${whole}" title="${title}"></iframe>`;
  return (
    <>
      <p class="fine">A frame for your site, live:</p>
      <Copied text={text} label="Its code" />
    </>
  );
}

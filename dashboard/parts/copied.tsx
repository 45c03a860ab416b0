import { useEffect, useState } from 'preact/hooks';

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
      {/* Browsers offer the clipboard only on secure connections. */}
      {'clipboard' in navigator && (
        <button type="button" onClick={() => void copy().catch(() => {})}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  );
}

import type { ComponentChildren } from 'preact';

import type { AskError } from '../ask.ts';

/** While something is asked for the first time. */
export function Loading() {
  return (
    <div class="note loading" role="status">
      <span class="visually-hidden">Loading</span>
      <i />
      <i />
      <i />
    </div>
  );
}

interface FailedProps {
  readonly error: AskError | null;
  readonly again: () => void;
}

/** While something is not there, with what went wrong where it could not be had. */
export function Pending({ error, again }: FailedProps) {
  return error === null ? <Loading /> : <Failed error={error} again={again} />;
}

/** When something could not be had, with why and a way out. */
export function Failed({ error, again }: FailedProps) {
  return (
    <div class="note failed" role="alert">
      <p>
        <strong>
          {error?.code === 'RATE_LIMITED' ? 'Too many requests from your address.' : 'This could not be loaded.'}
        </strong>
      </p>
      <p>{error?.message ?? 'The service cannot be reached.'}</p>
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}

/** An address under which there is nothing. */
export function Missing({ what }: { readonly what: string }) {
  return (
    <div class="note">
      <h1>No such {what}</h1>
      <p>
        There is nothing under this address. <a href="/">See what is asked now</a>, or browse{' '}
        <a href="/rounds">the rounds</a> and <a href="/leaderboard">the board</a>.
      </p>
    </div>
  );
}

/** Where there is nothing yet, and what would change that. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="note empty">{children}</p>;
}

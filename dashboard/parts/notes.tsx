import type { ComponentChildren } from 'preact';

import type { AskError } from '../ask.ts';

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

export interface FailedProps {
  readonly error: AskError | null;
  readonly again: () => void;
}

/** Loading, or the error. */
export function Pending({ error, again }: FailedProps) {
  return error === null ? <Loading /> : <Failed error={error} again={again} />;
}

/** The error, with a way out. */
export function Failed({ error, again }: FailedProps) {
  return (
    <div class="note failed" role="alert">
      <p>
        <strong>This could not be loaded.</strong>
      </p>
      <p>{error?.message ?? 'The service cannot be reached.'}</p>
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}

/** For unknown addresses and ids. */
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

/** An empty list, with a hint. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="note empty">{children}</p>;
}

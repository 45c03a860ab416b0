// Shared modules of most pages, which the service bundles as one file.
import './parts/countdown.tsx';
import './parts/crowd-bars.tsx';
import './parts/later.tsx';
import './parts/round-list.tsx';
import './parts/notes.tsx';
import './parts/shell.tsx';
import './documents/now.ts';
import './navigation.ts';
import './answered.ts';
import './answers.ts';
import './figures.ts';
import './plain-question.ts';
import './titles.ts';
import './turning-returns.ts';

// esbuild's JSX factory.
export { Fragment, h } from 'preact';

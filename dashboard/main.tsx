import { render } from 'preact';

import { App } from './app.tsx';
import { openSession } from './session.ts';

const root = document.getElementById('page');
if (root !== null) render(<App session={openSession(document)} />, root);

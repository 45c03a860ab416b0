import { render } from 'preact';

import { App } from './app.tsx';
import { steadyMs } from './machine.ts';
import { present } from './navigation.ts';
import { firstAnswersIn, openSession } from './session.ts';

const root = document.getElementById('page');
const session = openSession({ origin: location.origin, first: firstAnswersIn(document), steadyMs });
if (root !== null) render(<App session={session} first={present()} />, root);

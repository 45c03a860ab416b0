import { render } from 'preact';

import { App, loadedPage } from './app.tsx';
import { steadyMs } from './machine.ts';
import { present } from './navigation.ts';
import { firstAnswersIn, openSession } from './session.ts';

const root = document.getElementById('page');
const session = openSession({ origin: location.origin, first: firstAnswersIn(document), steadyMs });
const first = present();
// The page's code came with this script; the HTML stays until it has loaded.
const loaded = await loadedPage(first);
if (root !== null) render(<App session={session} first={first} loaded={loaded} />, root);

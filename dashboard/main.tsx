import { render } from 'preact';

import { App, loadedPage } from './app.tsx';
import { steadyMs } from './machine.ts';
import { present } from './navigation.ts';
import { firstAnswersIn, openSession } from './session.ts';

const root = document.getElementById('page');
const session = openSession({ origin: location.origin, first: firstAnswersIn(document), steadyMs });
const first = present();
// Its code came with this one's: what the HTML holds stays until it is there.
const loaded = await loadedPage(first);
if (root !== null) render(<App session={session} first={first} loaded={loaded} />, root);

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import relay from 'relay-runtime';

import { authorization, play, PREDICT, ROUND, url } from './common.mjs';

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'relay-'));
mkdirSync(join(folder, 'src'));
writeFileSync(join(folder, 'package.json'), '{}');
writeFileSync(join(folder, 'schema.graphql'), process.env.HOURCAST_SCHEMA);
const documents = {
  RoundQuery: `query RoundQuery ${ROUND}`,
  RoundMutation: PREDICT.replace('Predict', 'RoundMutation'),
};
const source = Object.values(documents).map((text) => `graphql\`${text}\`;`);
writeFileSync(join(folder, 'src/Round.js'), `import { graphql } from 'relay-runtime';\n${source.join('\n')}\n`);
writeFileSync(
  join(folder, 'relay.config.json'),
  JSON.stringify({ src: 'src', schema: 'schema.graphql', language: 'javascript' }),
);
execFileSync(require('relay-compiler'), ['relay.config.json'], { cwd: folder, stdio: 'pipe' });
const compiled = (name) => require(join(folder, `src/__generated__/${name}.graphql.js`));

async function ask({ text }, variables) {
  const body = JSON.stringify({ query: text, variables });
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body,
  });
  return answer.json();
}

const { commitMutation, Environment, fetchQuery, Network, RecordSource, Store } = relay;
const environment = new Environment({
  network: Network.create(ask),
  store: new Store(new RecordSource()),
  // Ids are numbers here, and Relay keeps rows of all types by one text.
  getDataID: ({ id }, type) => (id === undefined ? null : `${type}:${id}`),
});
await play(
  () => fetchQuery(environment, compiled('RoundQuery'), {}).toPromise(),
  (_, variables) =>
    new Promise((onCompleted, onError) => {
      commitMutation(environment, { mutation: compiled('RoundMutation'), variables, onCompleted, onError });
    }),
);

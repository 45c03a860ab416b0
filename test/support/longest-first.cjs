const { default: Sequencer } = require('@jest/test-sequencer');

/** Long or waiting suites begin first and run beside all others, so that none is left alone at the end. */
const LONG = [
  '/test/long/history/calm',
  '/test/long/faults/kill-loop',
  '/test/long/history/halt',
  '/test/long/faults/redis',
  '/test/jobs/ledger/standings',
  '/test/market/live/exchanges/fault-rounds',
  '/test/process/ending-a-start',
  '/test/long/fairness/',
  '/test/verify/planted',
  '/test/database/embedded-postgres',
  '/test/long/',
  '/test/resolvers/analysts/statement-counts',
  '/test/resolvers/analysts/played-field',
  '/test/process/',
  '/test/backplane/queue',
  '/test/scripts/demo',
  '/test/operating/runtime-role',
  '/test/jobs/',
  '/test/feed/',
  '/test/backplane/',
  '/test/market/live/exchanges/',
  '/test/verify/',
  '/test/resolvers/analysts/',
  '/test/graphql/nested-reads',
  '/test/database/statements',
  '/test/app/open-clock',
  '/test/entities/schema',
];

/** Known long suites come first, also on a machine without measurements. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return tests.toSorted((one, other) => rank(one) - rank(other));
  }
};

function rank({ path }) {
  const place = LONG.findIndex((part) => path.includes(part));
  return place === -1 ? LONG.length : place;
}

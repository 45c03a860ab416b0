const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that wait rather than work, or work for long: begun first, they run beside all the others, and none is left alone at the end. */
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

/** The suites known to be long come first, also on a machine that has never run them. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return tests.toSorted((one, other) => rank(one) - rank(other));
  }
};

function rank({ path }) {
  const place = LONG.findIndex((part) => path.includes(part));
  return place === -1 ? LONG.length : place;
}

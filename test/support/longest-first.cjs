const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that wait for a clock rather than work: begun first, they run beside all the others. */
const LONG = [
  '/test/long/history/calm',
  '/test/long/',
  '/test/process/',
  '/test/faults/',
  '/test/jobs/',
  '/test/feed/',
  '/test/backplane/',
  '/test/verify/',
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

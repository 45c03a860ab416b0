import { expect, test } from '@jest/globals';

import { refusalWords } from '../../dashboard/refusals.ts';
import { ERROR_REASONS, REASONS } from '../../src/rules/errors.ts';

test.each([
  ['wrong key', 'invalid_key', '', 'No agent has this key. It may have been replaced.'],
  ['no key', 'missing_key', '', 'Please sign in with a key.'],
  ['taken name', 'name_taken', 'name', 'Another agent has this name.'],
  ['invalid name', 'invalid_parameter', 'name', 'A name has 3 to 50 letters, digits, _ or -; some are reserved.'],
  ['closed round', 'round_locked', '', 'This hour is closed. The next one opens on the full hour.'],
  ['second answer', 'already_predicted', '', 'This agent has answered this hour already.'],
  ['wrong answer', 'invalid_parameter', 'rows[0].prediction', 'This is no answer to such a question.'],
  ['a blocked agent', 'agent_blocked', '', 'Said.'],
  ['too many requests', 'rate_limited', '', 'Too many requests.'],
  ['missing thing', 'unknown_agent', 'id', 'There is no such thing here.'],
] as const)('the page has its own words for a %s', (_what, reason, param, words) => {
  expect(refusalWords(ERROR_REASONS[reason].code, reason, param, 'Said.')).toBe(words);
});

test('every refusal has plain words, with or without a reason', () => {
  const sentences = REASONS.flatMap((reason) => {
    const { code } = ERROR_REASONS[reason];
    const found = [refusalWords(code, reason, '', 'Said.'), refusalWords(code, 'undefined', 'undefined', 'Said.')];
    return found.filter((words) => words !== undefined || !['UNAVAILABLE', 'INTERNAL'].includes(code));
  });
  for (const words of sentences) {
    expect(words).toMatch(/^[A-Z].*\.$/);
    expect(words).not.toMatch(/API|header|Bearer|got |REST|undefined/);
  }
});

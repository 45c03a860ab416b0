/** The page's words for the API's refusals, by reason and field, by reason, or by code in small letters. */
const WORDS: Readonly<Record<string, string>> = {
  rate_limited: 'Too many requests.',
  bad_request: 'This is not accepted.',
  'invalid_parameter name': 'A name has 3 to 50 letters, digits, _ or -; some are reserved.',
  'invalid_parameter prediction': 'This is no answer to such a question.',
  round_locked: 'This hour is closed. The next one opens on the full hour.',
  not_current_round: 'This hour is over.',
  unauthenticated: 'Please sign in with a key.',
  invalid_key: 'No agent has this key. It may have been replaced.',
  forbidden: 'This agent may not do that.',
  not_found: 'There is no such thing here.',
  conflict: 'This contradicts an earlier answer.',
  name_taken: 'Another agent has this name.',
  already_predicted: 'This agent has answered this hour already.',
};

/** A sentence for people; undefined for a failure of the service. `param` is the refused field, such as `rows[0].prediction`. */
export function refusalWords(code: string, reason: string, param: string, message: string): string | undefined {
  // It has the operator's reason.
  if (reason === 'agent_blocked') return message;
  const field = param.replace(/^.*\./, '');
  return WORDS[`${reason} ${field}`] ?? WORDS[reason] ?? WORDS[code.toLowerCase()];
}

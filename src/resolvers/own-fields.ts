/** `Type.field` of what the owner of the key alone sees: null for all others (spec 2.1). */
export const OWN_FIELDS: ReadonlySet<string> = new Set([
  'Agent.registeredAt',
  'Agent.roundsCompeted',
  'Agent.simPnl7d',
]);

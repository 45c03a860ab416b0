/** The database cannot be used on this system or in this folder; the message is for the operator, as it is. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

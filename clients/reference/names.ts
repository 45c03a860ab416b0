/* What the clients call types where the reference's own names would not do. */

/** By the reference's names. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  // Both languages have an error of their own.
  Error: 'ErrorBody',
};

/** What the clients call types, by the reference's names, where these would not do. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  // Both languages have an error of their own.
  Error: 'ErrorBody',
};

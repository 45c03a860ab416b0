/* The clients' names of types, where the reference's own are unsuitable. */

/** By the reference's names. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  // Both languages have an error of their own.
  Error: 'ErrorBody',
};

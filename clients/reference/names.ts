/* What the clients call things where the reference's own names would not do. */

/** Methods by operation, in camel case; Python writes the same in snake case. Others are called as what they get, or do. */
export const METHOD_NAMES: Readonly<Record<string, string>> = { submitPrediction: 'predict' };

/** Types by the reference's names. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  // Both languages have an error of their own.
  Error: 'ErrorBody',
};

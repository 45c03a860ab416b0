/**
 * The versions of the rules, the oldest first. A round is scored by the version that was the newest when it was stored, and
 * recomputed by the same one. What differs between them stands in `RULES`; a version that has landed is never changed.
 */
export const RULES_VERSIONS = [1, 2] as const;

export type RulesVersion = (typeof RULES_VERSIONS)[number];

/** The version of new rounds. */
export const RULES_VERSION: RulesVersion = 2;

/**
 * What names each version beyond doubt: the digest of its golden vectors, which `npm run golden` prints. One that has
 * landed stays as it is: a constant that changes them comes with a new version.
 */
export const RULES_DIGESTS: Readonly<Record<RulesVersion, string>> = {
  1: '52d7f81cd8f0dc932c77c1783d77e4ab70c1b8cfe4b15414f3c388de98852bdc',
  2: '6fc63c98d643e013950b081aae3dabdac10dd54ff1f4435fec1a7635d06d8f2d',
};

/** What is not the same in all versions. */
export interface VersionedRules {
  /**
   * Whether what the price says is brought within its bounds before it is scaled to add up to 1, which moves it across them
   * again by up to 1.7 %, or after.
   */
  readonly boundedReference: 'before scaling' | 'after scaling';
  /** Whether a prediction is held within the same bounds for its edge where the question is not settled. */
  readonly boundedEdge: boolean;
  /** What edge a prediction has that was made while no price was known: over even odds, or none. */
  readonly edgeWithoutPrice: 'over even odds' | 'none';
}

export const RULES: Readonly<Record<RulesVersion, VersionedRules>> = {
  1: { boundedReference: 'before scaling', boundedEdge: false, edgeWithoutPrice: 'over even odds' },
  // Certainty beyond what the price may say was paid, and so was whoever waited for an outage.
  2: { boundedReference: 'after scaling', boundedEdge: true, edgeWithoutPrice: 'none' },
};

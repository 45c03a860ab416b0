/** Oldest first. A round keeps the version that was newest when it was stored; landed versions never change. */
export const RULES_VERSIONS = [1, 2] as const;

export type RulesVersion = (typeof RULES_VERSIONS)[number];

export const RULES_VERSION: RulesVersion = 2;

/** Digests of the golden vectors, by `npm run golden`. They never change: another constant needs a new version. */
export const RULES_DIGESTS: Readonly<Record<RulesVersion, string>> = {
  1: '52d7f81cd8f0dc932c77c1783d77e4ab70c1b8cfe4b15414f3c388de98852bdc',
  2: '6fc63c98d643e013950b081aae3dabdac10dd54ff1f4435fec1a7635d06d8f2d',
};

interface VersionedRules {
  /** Scaling to 1 after clamping moves the reference across its bounds again, by up to 1.7 %. */
  readonly boundedReference: 'before scaling' | 'after scaling';
  /** Clamps predictions to `BOUNDS` for their edge while the question is open. */
  readonly boundedEdge: boolean;
  readonly edgeWithoutPrice: 'over even odds' | 'none';
}

export const RULES: Readonly<Record<RulesVersion, VersionedRules>> = {
  1: { boundedReference: 'before scaling', boundedEdge: false, edgeWithoutPrice: 'over even odds' },
  // Version 1 rewarded certainty beyond the bounds of the reference, and waiting for an outage of prices.
  2: { boundedReference: 'after scaling', boundedEdge: true, edgeWithoutPrice: 'none' },
};

/** A part of the interface that still works and will go. */
export interface Deprecation {
  /** `GET /api/path`, its query parameter as `GET /api/path?name`, or in GraphQL `Type.field`, `Type.field(arg:)`, `Enum.VALUE`. */
  readonly element: string;
  /** The day since which it is deprecated, UTC: `2026-11-22`. */
  readonly since: string;
  /** The day from which it may be gone, or null while that is open. */
  readonly sunset: string | null;
  /** The sentence that names its replacement. */
  readonly use: string;
}

/** Headers of REST, `deprecated` in the reference and `@deprecated` in schema.graphql follow this table. */
export const DEPRECATIONS: readonly Deprecation[] = [
  {
    element: 'Crowd.meanConfidence',
    since: '2026-11-22',
    sunset: null,
    use: 'Use meanConfidencePct, whose name has its unit.',
  },
  {
    element: 'CrowdAnswer.meanConfidence',
    since: '2026-11-22',
    sunset: null,
    use: 'Use meanConfidencePct, whose name has its unit.',
  },
  {
    element: 'Stats.avgConfidence',
    since: '2026-11-22',
    sunset: null,
    use: 'Use avgConfidencePct, whose name has its unit.',
  },
];

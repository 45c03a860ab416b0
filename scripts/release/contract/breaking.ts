/** A change that an existing caller may notice. */
export interface Breaking {
  /** The name that an entry of the changelog has in backticks: `Type.field(arg:)`, `GET /api/path`, or a named object. */
  readonly element: string;
  /** A sentence. */
  readonly change: string;
}

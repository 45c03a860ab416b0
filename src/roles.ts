/** What a process does of the service's work, by `ROLE`. */
export const ROLES = {
  all: { serves: true, works: true },
  /** HTTP and the feed; it leaves the jobs to others. */
  api: { serves: true, works: false },
  /** Jobs; it has the operators' doors alone. */
  worker: { serves: false, works: true },
} as const satisfies Record<string, { readonly serves: boolean; readonly works: boolean }>;

export type Role = keyof typeof ROLES;

/** Keeps what does not work at present, so that an outage is told once, however many calls fail in it. */
export interface Outage {
  /** `what` does not work; the first to say so tells of the outage, with this error. */
  failed(what: string, error: Error): void;
  /** `what` works again; the last to say so tells that the outage is over. */
  works(what: string): void;
  /** Whether all of these work. */
  allWork(...whats: readonly string[]): boolean;
}

export interface OutageNews {
  readonly lost: (error: Error) => void;
  readonly back: () => void;
}

export function watchOutage({ lost, back }: OutageNews): Outage {
  const failing = new Set<string>();
  return {
    failed(what, error) {
      const isNews = failing.size === 0;
      failing.add(what);
      if (isNews) lost(error);
    },
    works(what) {
      if (failing.delete(what) && failing.size === 0) back();
    },
    allWork: (...whats) => !whats.some((what) => failing.has(what)),
  };
}

interface AskedLevels {
  readonly questionType: string;
  readonly thresholdPct: number | null | undefined;
}

/** In percent. */
export function turningReturns({ questionType, thresholdPct }: AskedLevels): number[] {
  if (thresholdPct == null) return [];
  return questionType === 'range' || questionType === 'magnitude' ? [-thresholdPct, thresholdPct] : [thresholdPct];
}

/** Lead time is minutes from submission to the end of the hour; a bucket ends before the next one's `fromMinutes`. */
export const LEAD_BUCKETS = [
  { name: '45-60', fromMinutes: 45 },
  { name: '30-45', fromMinutes: 30 },
  { name: '15-30', fromMinutes: 15 },
  { name: '5-15', fromMinutes: 5 },
  { name: '0-5', fromMinutes: 0 },
] as const;

import { type Period, PERIODS } from '../src/rules/windows.ts';

export const PERIOD_TABS = [
  ['daily', 'Day'],
  ['weekly', 'Week'],
  ['monthly', 'Month'],
  ['alltime', 'All'],
] as const;

export function periodIn(search: string, usual: Period): Period {
  const given = new URLSearchParams(search).get('period');
  return PERIODS.find((period) => period === given) ?? usual;
}

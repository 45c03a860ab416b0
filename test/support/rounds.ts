import { until } from './poll.ts';
import type { TestService } from './service.ts';

/** The fields of `round` in GET /api/rounds/current that tests read. */
export interface CurrentRound {
  readonly id: number;
  readonly question: string;
  readonly question_type: string;
  readonly prediction_format: string;
  readonly choices: readonly string[];
  readonly assets: Readonly<Record<string, string>>;
  readonly params: {
    readonly subject: string | null;
    readonly operator: string | null;
    readonly threshold_pct: number | null;
    readonly n: number | null;
  };
  readonly start_time: string;
  readonly end_time: string;
}

export async function currentRound(service: TestService): Promise<CurrentRound> {
  const { status, body } = await until('an answer other than 503, which a busy machine gives', async () => {
    const answer = await service.request('GET', '/api/rounds/current');
    return answer.status !== 503 && answer;
  });
  if (status !== 200 || body.round === null) throw new Error(`There is no current round: ${JSON.stringify(body)}`);
  return body.round;
}

/** Advances by hours until a round has this question. All 13 types take 13 hours; all their assets take longer. */
export async function hourAsking(
  service: TestService,
  wanted: (round: CurrentRound) => boolean,
): Promise<CurrentRound> {
  for (let hours = 0; hours < 200; hours += 1) {
    const round = await currentRound(service);
    if (wanted(round)) return round;
    await service.passHour();
  }
  throw new Error('No hour asks that');
}

/** The round's start as an instant. */
export function startOf({ start_time }: Pick<CurrentRound, 'start_time'>): Date {
  return new Date(`${start_time.replace(' ', 'T')}Z`);
}

export function secondOf(list: readonly string[]): string {
  const [, second] = list;
  if (second === undefined) throw new Error('There is no second item');
  return second;
}

export function firstOf(list: readonly string[]): string {
  const [first] = list;
  if (first === undefined) throw new Error('There is no first item');
  return first;
}

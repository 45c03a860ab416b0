import type { TestService } from './service.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { type Player, predict } from './agents.ts';
import { type CurrentRound, currentRound, firstOf, secondOf, startOf } from './rounds.ts';

type Figures = readonly [string, string, string, string];

const FLAT: Figures = ['100', '100', '100', '100'];
const UP: Figures = ['100', '120', '100', '120'];
const DOWN: Figures = ['100', '100', '80', '80'];

/** Scripts the round's hour so that `answer` wins (decisions: questions). */
export function decide(service: TestService, round: CurrentRound, answer: string): void {
  const start = startOf(round);
  const before = new Date(start.getTime() - 3_600_000);
  for (const asset of ASSETS) {
    service.market.script(asset, start, figuresFor(round, answer, asset));
    if (round.question_type === 'momentum') service.market.script(asset, before, UP);
  }
}

function figuresFor({ question_type, prediction_format, params }: CurrentRound, answer: string, asset: string) {
  if (prediction_format === 'choice') {
    if (asset !== answer) return FLAT;
    return question_type === 'worst_performer' ? DOWN : UP;
  }
  const yes = answer === 'YES';
  switch (question_type) {
    case 'breadth':
      return yes ? UP : FLAT;
    case 'range':
      return yes ? FLAT : UP;
    case 'momentum':
      return yes ? UP : DOWN;
    default:
      if (asset !== params.subject || !yes) return FLAT;
      return params.operator === '<=' ? DOWN : UP;
  }
}

export interface Bet {
  readonly player: Player;
  readonly right: boolean;
  readonly confidence: number;
}

/** Predicts in the current round in the order of the bets, and scripts the hour: the first choice wins. */
export async function playBets(service: TestService, bets: readonly Bet[]): Promise<CurrentRound> {
  const round = await currentRound(service);
  for (const { player, right, confidence } of bets) {
    const prediction = right ? firstOf(round.choices) : secondOf(round.choices);
    const { status, body } = await predict(service, player, { prediction, confidence });
    if (status !== 201) throw new Error(`${player.name} could not predict: ${status} ${JSON.stringify(body)}`);
  }
  decide(service, round, firstOf(round.choices));
  return round;
}

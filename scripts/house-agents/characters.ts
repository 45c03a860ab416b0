import { createHash } from 'node:crypto';

import { answerIf, type Glance, reversed } from './glance.ts';

export interface Answer {
  readonly prediction: string;
  /** Whole percent. */
  readonly confidence: number;
}

export interface HouseAgent {
  readonly name: string;
  /** A few words. */
  readonly character: string;
  /** Minutes of the round's hour at which it answers. */
  readonly minute: number;
  /** Null sits the round out. */
  readonly answer: (glance: Glance) => Answer | null;
}

/** Varied characters, so that the boards can tell luck, boasting, waiting and skill apart. */
export const HOUSE_AGENTS: readonly HouseAgent[] = [
  {
    name: 'boris-braggart',
    character: 'tosses a coin and is always certain',
    minute: 1,
    answer: (glance) => ({ prediction: tossed(glance, 'boris'), confidence: 100 }),
  },
  {
    name: 'tilda-trend',
    character: 'expects the last hour again',
    minute: 2,
    answer: (glance) => orTossed(glance, answerIf(glance, glance.before), 60),
  },
  {
    name: 'conrad-contrarian',
    character: 'expects the opposite of the last hour',
    minute: 3,
    answer: (glance) => orTossed(glance, answerIf(glance, reversed(glance.before)), 58),
  },
  {
    name: 'ivan-insider',
    character: 'knows how two hours of three will end, and says so early',
    minute: 4,
    answer: (glance) =>
      glance.toCome === null || glance.roundId % 3 === 0
        ? evenOdds(glance, 'ivan')
        : orTossed(glance, answerIf(glance, glance.toCome), 90),
  },
  {
    name: 'penny-coin',
    character: 'tosses a coin and says so',
    minute: 5,
    answer: (glance) => evenOdds(glance, 'penny'),
  },
  {
    name: 'noah-yes',
    character: 'takes the first answer, whatever is asked',
    minute: 6,
    answer: ({ question }) => ({ prediction: question.choices[0] ?? '', confidence: 75 }),
  },
  {
    name: 'thomas-doubter',
    character: 'tosses a coin and believes nothing',
    minute: 8,
    answer: (glance) => ({ prediction: tossed(glance, 'thomas'), confidence: 10 }),
  },
  {
    name: 'dotty-loyal',
    character: 'is for DOGE wherever it takes part',
    minute: 10,
    answer: (glance) =>
      orTossed(glance, glance.question.choices.find((choice) => choice === 'DOGE' || choice === 'YES') ?? null, 65),
  },
  {
    name: 'hal-halfway',
    character: 'waits for half of the hour and expects it to stay so',
    minute: 30,
    answer: (glance) => orTossed(glance, answerIf(glance, glance.soFar), 68),
  },
  {
    name: 'rip-sleeper',
    character: 'plays every third round',
    minute: 40,
    answer: (glance) => (glance.roundId % 3 === 1 ? orTossed(glance, answerIf(glance, glance.soFar), 75) : null),
  },
  {
    name: 'cora-copycat',
    character: 'answers what most have answered',
    minute: 50,
    answer: (glance) => orTossed(glance, mostGiven(glance), 70),
  },
  {
    name: 'vera-sniper',
    character: 'waits until the hour is nearly over',
    minute: 56,
    answer: (glance) => orTossed(glance, answerIf(glance, glance.soFar), 92),
  },
];

function orTossed(glance: Glance, prediction: string | null, confidence: number): Answer {
  return prediction === null ? evenOdds(glance, 'nobody') : { prediction, confidence };
}

function evenOdds(glance: Glance, name: string): Answer {
  return { prediction: tossed(glance, name), confidence: Math.round(100 / glance.question.choices.length) };
}

function tossed({ roundId, question: { choices } }: Glance, name: string): string {
  const [byte = 0] = createHash('sha256').update(`${name} ${roundId}`).digest();
  return choices[byte % choices.length] ?? '';
}

function mostGiven({ entries, question }: Glance): string | null {
  const count = (choice: string): number => entries.filter((entry) => entry === choice).length;
  const [most] = question.choices.toSorted((left, right) => count(right) - count(left));
  return entries.length === 0 ? null : (most ?? null);
}

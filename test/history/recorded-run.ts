import { asNumber } from './decimals.ts';
import { SYMBOLS, type Candles, type HourCandle } from './candle-files.ts';
import { expectedProfile, expectedRecent } from './compare-agents.ts';
import { expectedStats } from './compare-stats.ts';
import { clockText, HOUR, hourText } from './hours.ts';
import { at, found, numberOf, type Body } from './json.ts';
import { expectedEntry, expectedResult, expectedRound, scoredOf } from './oracle-answers.ts';
import { rankingsOf } from './oracle-boards.ts';
import { ledgerOf, type Ledger } from './oracle-ledger.ts';
import { decidingAssets, verdictOf } from './oracle-questions.ts';
import { PERIODS, type Recording } from './recording.ts';
import { factsOf, QUESTION_TYPES, type QuestionType, type RoundFacts } from './round-facts.ts';
import { CAST, planOf } from './scripted-agents.ts';

const FIRST_HOUR = 470_000;
const ROUNDS = 60;
/** The hour whose candles are missing. */
const HALT = FIRST_HOUR + 20;

const OPERATORS: Partial<Record<QuestionType, string>> = {
  direction: '>',
  threshold: '>=',
  touch: '<=',
  magnitude: '>=',
  range: 'within',
  momentum: 'same_sign',
  beat_market: '>',
  breadth: '>=',
};

/** Made-up prices that move up to 1 % an hour; none in the hour of the halt. */
export const madeUpCandles: Candles = (symbol, hour): HourCandle | undefined => {
  if (hour === HALT) return undefined;
  const seed = BigInt(hour * 7919 + SYMBOLS.findIndex((known) => known === symbol) * 104_729);
  const open = 10_000_000_000_000n + seed * 1_000_003n;
  const close = open + (open / 10_000n) * (((seed * 31n) % 199n) - 99n);
  const [low, high] = open < close ? [open, close] : [close, open];
  return { open, close, low: low - (open / 10_000n) * (seed % 13n), high: high + (open / 10_000n) * (seed % 17n) };
};

/** A run as a faultless service would answer it: what the comparisons must find nothing in. */
export function faultlessRun(): Recording {
  const open = question(ROUNDS);
  const asked = Array.from({ length: ROUNDS }, (_, index) => question(index));
  const questions = new Map([...asked, open].map((body) => [body['id'], body]));
  const facts = asked.map(factsOf);
  const accepted = [...facts.flatMap(submissions), ...submissions(factsOf(open)).slice(0, 3)];
  const said = new Map(
    accepted.map((prediction): [number, number[]] => {
      const { choices } = factsOf(found(questions.get(prediction['round_id'] ?? null), 'its question'));
      return [numberOf(prediction, 'id'), saidOf(choices)];
    }),
  );
  const ledger = ledgerOf(facts, { accepted, said }, madeUpCandles);
  const scored = scoredOf(ledger);
  const rounds = asked.map((body, index) => {
    const id = index + 1;
    const own = (ledger.accepted.get(id) ?? []).map((prediction) => ({
      prediction,
      scored: scored.get(numberOf(prediction, 'id')),
    }));
    return {
      id,
      round: { ...body, ...expectedRound(at(facts, index), ledger, madeUpCandles) },
      predictions: own
        .map((each) => expectedResult(each.prediction, each.scored))
        .toSorted((one, other) => Number(other['score']) - Number(one['score'])),
      entries: own.map((each) => expectedEntry(each.prediction, each.scored)),
      worths: own.map((each) => ({
        id: numberOf(each.prediction, 'id'),
        edge: each.scored === undefined ? null : asNumber(each.scored.edge, 6),
        reference: referenceOf(at(facts, index).choices),
      })),
    };
  });
  const agents = CAST.map(({ name }, index) => ({ id: index + 1, name, shown: {}, own: {} }));
  const bare: Recording = {
    accepted,
    learned: asked,
    rounds,
    agents,
    moments: [20, 35, 50].map((newest) => ({
      boards: boards(ledger, newest),
      newestBefore: newest,
      newestAfter: newest + 1,
    })),
    sightings: [
      sighting(5, 5, 'resolved'),
      sighting(21, 22, 'resolving'),
      sighting(21, 46, 'void'),
      sighting(22, 22, 'resolved'),
    ],
    boards: boards(ledger, ROUNDS),
    stats: {},
    recent: rounds.toReversed().map(({ round }) => ({ ...round, ...blankReturns(round) })),
    open,
    stoppedIn: hourText(FIRST_HOUR + ROUNDS - 3),
    surprises: [],
  };
  return { ...bare, stats: expectedStats(bare, ledger), agents: agents.map((agent) => profiles(agent, bare, ledger)) };
}

/** A price that leans to the first answer. */
function saidOf(choices: readonly string[]): number[] {
  return choices.map((_, index) => (index === 0 ? 0.7 : 0.3 / (choices.length - 1)));
}

function referenceOf(choices: readonly string[]): Body[] {
  const said = saidOf(choices);
  return choices.map((answer, index) => ({ answer, probability: at(said, index) }));
}

function question(index: number): Body {
  const type = at(QUESTION_TYPES, index % QUESTION_TYPES.length);
  const hour = FIRST_HOUR + index;
  const symbols = [...SYMBOLS.slice(index % 8), ...SYMBOLS.slice(0, index % 8)];
  const wanted = { relative: 2, volatility: 2, podium: 4, best_performer: 8, worst_performer: 8 }[type as string];
  const threshold = ['threshold', 'magnitude', 'range'].includes(type) ? 0.35 : type === 'touch' ? -0.35 : null;
  const params = {
    subject: wanted === undefined && type !== 'breadth' ? at(symbols, 0) : null,
    operator: OPERATORS[type] ?? null,
    threshold_pct: threshold,
    n: type === 'breadth' ? 5 : null,
  };
  const body: Body = {
    id: index + 1,
    question: `${symbols.join(' ')} 0.35 5 ${clockText(hour)} to ${clockText(hour + 1)} UTC`,
    question_type: type,
    prediction_format: wanted === undefined ? 'boolean' : 'choice',
    choices: wanted === undefined ? ['YES', 'NO'] : symbols.slice(0, wanted),
    params,
    start_time: hourText(hour),
    end_time: hourText(hour + 1),
    arena_points_pool: 2500,
    vertical_id: 1,
  };
  const deciding = decidingAssets(factsOf(body));
  return { ...body, assets: Object.fromEntries(deciding.map((symbol) => [symbol, `${symbol}-USD`])) };
}

function submissions(facts: RoundFacts): Body[] {
  return CAST.flatMap((script, index): Body[] => {
    const plan = planOf(script, facts, verdictOf(facts, madeUpCandles), facts.id - 1);
    if (plan === undefined) return [];
    const submitted = new Date(facts.hour * HOUR + 1000 * index).toISOString().slice(0, 19);
    const who = { id: facts.id * 100 + index, agent_id: index + 1, agent_name: script.name, round_id: facts.id };
    return [{ ...who, prediction: plan.prediction, confidence: plan.confidence, submitted_at: submitted }];
  });
}

function boards(ledger: Ledger, newest: number): Body[] {
  const names = new Map(CAST.map(({ name }, index) => [index + 1, name]));
  const count = ledger.resolved.filter((round) => round.facts.id <= newest).length;
  const updated_at = new Date((FIRST_HOUR + newest) * HOUR + 1000).toISOString();
  return PERIODS.map((period) => ({ period, updated_at, rankings: rankingsOf(ledger, names, count, period) }));
}

function profiles(agent: Recording['agents'][number], run: Recording, ledger: Ledger): Recording['agents'][number] {
  const { win_rate, rounds_competed, sim_pnl_7d, mode, ...common } = expectedProfile(agent, run, ledger);
  const recent_predictions = expectedRecent(agent, run, ledger);
  const registered_at = hourText(FIRST_HOUR);
  const own = { agent: { ...common, registered_at, win_rate, rounds_competed, sim_pnl_7d, mode }, recent_predictions };
  return { ...agent, shown: { agent: common, win_rate, recent_predictions }, own };
}

function sighting(id: number, hours: number, status: string): Recording['sightings'][number] {
  const time = new Date((FIRST_HOUR + hours) * HOUR).toISOString();
  return { id, status, from: time, to: time };
}

function blankReturns(round: Body): Body {
  return { btc_return_pct: round['btc_return_pct'] ?? null, eth_return_pct: round['eth_return_pct'] ?? null };
}

/** The record of the round with this ordinal, for planting a fault in it. */
export function recordOf(run: Recording, index: number): Recording['rounds'][number] {
  return found(run.rounds[index], `round ${index}`);
}

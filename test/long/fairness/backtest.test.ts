import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import {
  backtest,
  exportedRounds,
  type Past,
  pastOf,
  rankAmong,
  type ScoredAnswer,
} from '../../../clients/js/src/backtest.ts';
import { createClient } from '../../../clients/js/src/index.ts';
import { openReplay } from '../../../src/market/replay/replay.ts';
import {
  CHARACTERS,
  type Character,
  isOut,
  playCharacters,
  type PlayedCharacters,
} from '../../fairness/played-characters.ts';
import { CALM, describeWithCandles } from '../../history/shared-market.ts';
import { candlesOfFolder } from '../../oracle/candle-files.ts';
import { whereInstalled } from '../../support/installed.ts';
import { PYTHON_SOURCES } from '../../clients/languages.ts';
import type { Ended } from '../../clients/programs.ts';
import { withOutages } from '../../support/scripted-market.ts';

/* Real rounds that were played through the service, asked again by the client's backtest: its scores beside the stored ones. */

const START = '2023-04-09T00:00:00Z';
const ROUNDS = Number(process.env['BACKTEST_ROUNDS'] ?? 170);
const HOUR_MS = 3_600_000;

/** Of the export of predictions, what a backtest says of an answer as well. */
const FIGURES = [
  'prediction',
  'confidence',
  'is_correct',
  'score',
  'streak_bonus',
  'pnl_usd',
  'brier',
  'edge',
] as const;

interface Row extends Pick<ScoredAnswer, (typeof FIGURES)[number]> {
  readonly agent_id: number;
  readonly start_time: string;
  readonly lead_seconds: number;
}

interface RoundRow {
  readonly start_time: string;
  readonly question: string;
  readonly outcome: string | null;
}

describeWithCandles('the backtest of real rounds', CALM, () => {
  let played: PlayedCharacters;
  let past: Past;
  let stored: readonly Row[];
  let rounds: readonly RoundRow[];

  beforeAll(async () => {
    played = await playCharacters(CALM, {
      candles: candlesOfFolder(CALM),
      start: START.replace(':00Z', ':07Z'),
      rounds: ROUNDS,
    });
    const market = withOutages(await openReplay(CALM), isOut);
    const from = new Date(START);
    past = pastOf(market, { from, to: new Date(from.getTime() + ROUNDS * HOUR_MS) });
    stored = await rowsOf<Row>('predictions');
    rounds = await rowsOf<RoundRow>('rounds');
  });
  afterAll(() => played.service.stop());

  async function rowsOf<Kind>(list: string): Promise<readonly Kind[]> {
    const answer = await fetch(`${played.service.url}/api/export/${list}.ndjson?status=resolved`);
    return (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  /** What the character answered, asked again at the seconds at which it did. */
  async function again(character: Character, given = past) {
    const own = stored.filter(({ agent_id: id }) => id === played.ids[character]);
    const byHour = new Map(own.map((row) => [row.start_time, row]));
    const run = await backtest({
      past: given,
      at: ({ hourStart }) => 60 - (byHour.get(hourKey(hourStart))?.lead_seconds ?? HOUR_MS / 1000) / 60,
      agent({ round }) {
        const row = byHour.get(round.start_time);
        return row === undefined ? null : { prediction: row.prediction, confidence: row.confidence };
      },
    });
    return { own, run };
  }

  test('a backtest has the service’s questions and outcomes', async () => {
    const replayedRounds: RoundRow[] = [];
    for await (const { hourStart, question, outcome } of past.rounds()) {
      const answer = outcome.kind === 'answer' ? outcome.answer : null;
      replayedRounds.push({ start_time: hourKey(hourStart), question: question.question, outcome: answer });
    }
    const decided = rounds.map(({ start_time, question, outcome }) => ({ start_time, question, outcome }));
    expect(decided.length).toBeGreaterThan(0.88 * ROUNDS);
    expect(replayedRounds.filter(({ outcome }) => outcome !== null)).toEqual(decided);
  });

  describe.each(CHARACTERS)('answers of %s', (character) => {
    let replayed: Awaited<ReturnType<typeof again>>;
    beforeAll(async () => {
      replayed = await again(character);
    });

    test('a backtest gives the stored scores, bit for bit', () => {
      const { own, run } = replayed;
      expect(figuresOf(run.answers)).toEqual(figuresOf(own));
      expect(run.result.points).toBe(own.reduce((sum, row) => sum + row.score + row.streak_bonus, 0));
    });

    test('a backtest gives the rank, the luck and the edge of the service', async () => {
      const { run } = replayed;
      const others = stored.filter(({ agent_id: id }) => id !== played.ids[character]);
      const rank = await rankAmong(run.result, others);
      const { body } = await played.service.request('POST', '/graphql', {
        body: {
          query: `{ agent(id: ${played.ids[character]}) { standing(period: alltime) {
            rank edge { mean low high n } luck { wins pnl } simPnlTotal } } }`,
        },
      });
      const { rank: place, edge, luck, simPnlTotal } = body.data.agent.standing;
      expect(rank.points).toEqual({ place, of: CHARACTERS.length });
      expect(run.result.pnl_usd).toBe(simPnlTotal);
      expect(run.result.luck.wins).toBeCloseTo(luck.wins, 12);
      expect(run.result.luck.pnl).toBeCloseTo(luck.pnl, 12);
      if (edge === null) expect(run.result.edge).toBeNull();
      else
        for (const name of ['mean', 'low', 'high', 'n'] as const)
          expect(run.result.edge?.[name]).toBeCloseTo(edge[name], 9);
    });
  });

  test('a backtest from the service’s export gives the stored scores', async () => {
    const exported = await exportedRounds(createClient({ url: played.service.url }));
    for (const character of CHARACTERS) {
      const { own, run } = await again(character, exported);
      expect(figuresOf(run.answers)).toEqual(figuresOf(own));
    }
  });

  whereInstalled(['python3'], 'backtests in Python', () => {
    test.each(CHARACTERS.filter((character) => character !== 'outage'))(
      'Python gives the stored scores of %s, bit for bit',
      async (character) => {
        const own = stored.filter(({ agent_id: id }) => id === played.ids[character]);
        const { code, stdout, stderr } = await inPython(own);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const answers: Row[] = JSON.parse(stdout);
        expect(figuresOf(answers)).toEqual(figuresOf(own));
      },
    );
  });

  test('a backtest leaves out rounds before the cutoff', async () => {
    const afterCutoff = new Date('2023-04-15T00:00:00Z');
    const { result, answers } = await backtest({ past, afterCutoff, agent: () => null });
    expect(result).toMatchObject({
      before_cutoff: 6 * 24,
      rounds: rounds.filter(({ start_time: at }) => at >= '2023-04-15').length,
    });
    expect(answers).toEqual([]);
  });
});

const hourKey = (hourStart: Date): string => hourStart.toISOString().slice(0, 19).replace('T', ' ');

/** Asks a folder's hours again in Python: the answers on its input, at the seconds at which they were given. */
const IN_PYTHON = `
import json, sys
from datetime import datetime, timedelta, timezone
from hourcast.backtest import backtest, candle_folder

folder, start, hours = sys.argv[1:]
given = {row["start_time"]: row for row in json.load(sys.stdin)}
first = datetime.fromisoformat(start.replace("Z", "+00:00"))
past = candle_folder(folder, first, first + timedelta(hours=int(hours)))

def minute(round_):
    row = given.get(f"{round_.hour_start:%Y-%m-%d %H:%M:%S}")
    return 0 if row is None else 60 - row["lead_seconds"] / 60

print(json.dumps(backtest(past, lambda market: given.get(market.round["start_time"]), at=minute).answers))
`;

async function inPython(given: readonly Row[]): Promise<Ended> {
  const child = spawn('python3', ['-c', IN_PYTHON, CALM, START, String(ROUNDS)], {
    env: { ...process.env, PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' },
  });
  child.stdin.end(JSON.stringify(given));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}

function figuresOf(rows: readonly Pick<Row, (typeof FIGURES)[number]>[]) {
  return rows.map((row) => FIGURES.map((name) => row[name]));
}

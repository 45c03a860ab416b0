import { afterAll, beforeAll, expect, test } from '@jest/globals';

import {
  byCharacter,
  CHARACTERS,
  graphql,
  playCharacters,
  type Character,
  type PlayedCharacters,
} from '../../fairness/played-characters.ts';
import { archiveFaults } from '../../fairness/archive-oracle.ts';
import { luckOfPnlBy, luckOfWinsBy } from '../../fairness/luck-oracle.ts';
import { covarianceFaults, FIELDS_OF_ROUND, worthBy, worthFaults, type Worth } from '../../fairness/worth-oracle.ts';
import { candlesOfFolder, type Candles } from '../../oracle/candle-files.ts';
import { shortened } from '../../oracle/differences.ts';
import { bodyOf, found, listOf, numberOf, type Body } from '../../oracle/json.ts';
import { ledgerOf, type Ledger } from '../../oracle/ledger.ts';
import { CALM, describeWithCandles } from '../../history/shared-market.ts';

const ROUNDS = 340;

describeWithCandles('nine characters in real rounds through the service', CALM, () => {
  let candles: Candles;
  let played: PlayedCharacters;
  let ledger: Ledger;
  let faults: string[];
  let worths: Map<string, (Worth | null)[]>;
  let standings: Readonly<Record<Character, Body>>;

  beforeAll(async () => {
    candles = candlesOfFolder(CALM);
    played = await playCharacters(CALM, { candles, start: '2023-04-09T00:00:07Z', rounds: ROUNDS });
    ledger = ledgerOf(played.rounds, { accepted: played.accepted, said: new Map() }, candles);
    [faults, worths] = [[], new Map()];
    for (const { facts } of ledger.resolved) {
      const { round } = await graphql(played.service, `{ round(id: ${facts.id}) { ${FIELDS_OF_ROUND} } }`);
      const shown = bodyOf({ round: found(round, 'the round') }, 'round');
      const own = worthBy(facts, shown, candles);
      faults.push(...covarianceFaults(facts, shown, candles), ...worthFaults(facts, shown, own));
      for (const name of CHARACTERS)
        worths.set(name, [...(worths.get(name) ?? []), own.find(({ agent }) => agent === name) ?? null]);
    }
    standings = await standingsOf(played);
    process.stdout.write(`${table(standings)}\n`);
  });

  afterAll(() => played.service.stop());

  const edgeOf = (character: Character): Body => bodyOf(standings[character], 'edge');
  const arenaEdgeOf = (character: Character): Body => bodyOf(standings[character], 'arenaEdge');
  const order = (figure: (standing: Body) => number): readonly Character[] =>
    CHARACTERS.toSorted((one, other) => figure(standings[other]) - figure(standings[one]));

  test('more than 300 rounds are resolved', () => {
    expect(ledger.resolved.length).toBeGreaterThan(300);
  });

  test('the oracle agrees on every covariance, edge, contribution and peer score', () => {
    expect(shortened(faults)).toEqual([]);
  });

  test('the oracle agrees on the sums of each agent', () => {
    for (const character of CHARACTERS) {
      const own = found(worths.get(character), character).filter((worth) => worth !== null);
      const edges = own.filter(({ edge }) => edge !== null);
      const sum = (figure: 'edge' | 'contribution' | 'peerScore'): number =>
        own.reduce((total, worth) => total + (worth[figure] ?? 0), 0);
      if (character === 'outage') expect([standings.outage['edge'], edges]).toEqual([null, []]);
      else {
        expect(edgeOf(character)['n']).toBe(edges.length);
        expect(numberOf(edgeOf(character), 'mean')).toBeCloseTo(sum('edge') / edges.length, 5);
      }
      expect(numberOf(standings[character], 'contribution')).toBeCloseTo(sum('contribution'), 5);
      expect(numberOf(standings[character], 'peerScore')).toBeCloseTo(sum('peerScore'), 3);
    }
  });

  test('the oracle agrees on luck', () => {
    for (const character of CHARACTERS) {
      const record = ledger.resolved.flatMap(({ facts, scored }) =>
        scored
          .filter(({ agent }) => agent === played.ids[character])
          .map(({ confidence, correct }) => ({ answers: facts.choices.length, confidence, correct })),
      );
      const luck = bodyOf(standings[character], 'luck');
      expect(numberOf(luck, 'wins')).toBeCloseTo(luckOfWinsBy(record), 8);
      expect(numberOf(luck, 'pnl')).toBeCloseTo(luckOfPnlBy(record), 8);
    }
  });

  test('the oracle agrees on the archive of each finished day', async () => {
    const days = Array.from({ length: 14 }, (_, day) => `2023-04-${String(9 + day).padStart(2, '0')}`);
    const wrong = await archiveFaults(days, { played, ledger, worths });
    expect(shortened(wrong)).toEqual([]);
  });

  test('the board by points is led by late predictions', () => {
    expect(
      order((standing) => numberOf(standing, 'totalPoints'))
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['copier', 'sniper']);
  });

  test('the insider alone leads by edge, with a positive interval', () => {
    expect(order(meanEdge)[0]).toBe('insider');
    expect(numberOf(edgeOf('insider'), 'low')).toBeGreaterThan(0);
  });

  test.each(['sniper', 'copier'] as const)('the edge interval of the %s includes 0', (character) => {
    const { low, high } = edgeOf(character);
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  test('overconfident copies of a nearly certain price are always right, without edge', () => {
    expect(numberOf(standings.sure, 'winRate')).toBe(100);
    expect(numberOf(edgeOf('sure'), 'n')).toBeGreaterThan(20);
    expect(numberOf(edgeOf('sure'), 'low')).toBeLessThanOrEqual(0);
  });

  test('predictions only without a known price earn points and no edge', () => {
    expect(numberOf(standings.outage, 'totalPoints')).toBeGreaterThan(numberOf(standings.insider, 'totalPoints'));
    expect(standings.outage['edge']).toBeNull();
  });

  test('the insider alone leads over the published forecast, also on its board', async () => {
    const data = await graphql(
      played.service,
      '{ leaderboard(orderBy: ARENA, period: alltime, limit: 1) { rankings { name } } }',
    );
    expect(listOf(bodyOf(data, 'leaderboard'), 'rankings')).toEqual([{ name: 'insider' }]);
    expect(numberOf(arenaEdgeOf('insider'), 'low')).toBeGreaterThan(0);
    for (const name of CHARACTERS)
      if (name !== 'insider' && name !== 'outage') expect(numberOf(arenaEdgeOf(name), 'low')).toBeLessThanOrEqual(0);
  });

  test('the interval over the arena of the forecast’s copy includes 0', () => {
    expect(numberOf(arenaEdgeOf('parrot'), 'n')).toBeGreaterThan(300);
    expect(arenaEdgeOf('parrot')['low']).toBeLessThanOrEqual(0);
    expect(arenaEdgeOf('parrot')['high']).toBeGreaterThanOrEqual(0);
  });

  test('only the insider and the copy of its forecast are named as skilled', async () => {
    const data = await graphql(played.service, '{ stats { skilled { tested agents named } } }');
    const tested = CHARACTERS.filter((name) => standings[name]['edge'] !== null);
    expect(bodyOf(bodyOf(data, 'stats'), 'skilled')).toEqual({ tested: tested.length, agents: 2, named: 2 });
    expect(numberOf(edgeOf('parrot'), 'low')).toBeGreaterThan(0);
  });

  test('the edge interval of a coin includes 0, except in volatility', () => {
    const types = ledger.resolved.map(({ facts }) => facts.type);
    const others = found(worths.get('toss'), 'toss').filter((_, index) => types[index] !== 'volatility');
    const own = others.flatMap((worth) => worth?.edge ?? []);
    const mean = own.reduce((sum, edge) => sum + edge, 0) / own.length;
    const spread = own.reduce((sum, edge) => sum + (edge - mean) ** 2, 0) / (own.length - 1);
    expect(Math.abs(mean)).toBeLessThan(1.97 * Math.sqrt(spread / own.length));
  });
});

/** Of an agent that has an edge, else lowest of all. */
function meanEdge(standing: Body): number {
  return standing['edge'] === null ? -Infinity : numberOf(bodyOf(standing, 'edge'), 'mean');
}

async function standingsOf({ service, ids }: PlayedCharacters): Promise<Record<Character, Body>> {
  const fields = `totalPoints totalWins totalCompetitions simPnlTotal winRate skill skillInterval { low high }
    edge { mean low high n } arenaEdge { mean low high n } luck { wins pnl } contribution peerScore`;
  const rows = CHARACTERS.map(
    (name) => `${name}: agent(id: ${ids[name]}) { standing(period: alltime) { ${fields} } }`,
  ).join('\n');
  const data = await graphql(service, `{ ${rows} }`);
  return byCharacter((name) => bodyOf(bodyOf(data, name), 'standing'));
}

/** The board by points, with the places by skill and by edge beside it. */
function table(standings: Readonly<Record<Character, Body>>): string {
  const figures = {
    points: (standing: Body) => numberOf(standing, 'totalPoints'),
    skill: (standing: Body) => numberOf(standing, 'skill'),
    edge: meanEdge,
  } as const;
  const place = (character: Character, figure: (standing: Body) => number): number =>
    1 + CHARACTERS.filter((other) => figure(standings[other]) > figure(standings[character])).length;
  const rows = CHARACTERS.toSorted((one, other) => figures.points(standings[other]) - figures.points(standings[one]));
  return rows
    .map((character) => {
      const standing = standings[character];
      const skill = bodyOf(standing, 'skillInterval');
      return [
        `| ${character}`,
        `${place(character, figures.points)}. ${figures.points(standing)}`,
        `${numberOf(standing, 'winRate').toFixed(0)} %`,
        `${place(character, figures.skill)}. ${interval(figures.skill(standing), skill, 2)}`,
        standing['edge'] === null
          ? 'none'
          : `${place(character, figures.edge)}. ${interval(meanEdge(standing), bodyOf(standing, 'edge'), 3)}`,
        standing['arenaEdge'] === null
          ? 'none |'
          : `${interval(numberOf(bodyOf(standing, 'arenaEdge'), 'mean'), bodyOf(standing, 'arenaEdge'), 3)} |`,
      ].join(' | ');
    })
    .join('\n');
}

function interval(mean: number, body: Body, digits: number): string {
  const [low, high] = [numberOf(body, 'low'), numberOf(body, 'high')].map((value) => signed(value, digits));
  return `${signed(mean, digits)} (${low} to ${high})`;
}

function signed(value: number, digits: number): string {
  return (value < 0 ? '' : '+') + value.toFixed(digits);
}

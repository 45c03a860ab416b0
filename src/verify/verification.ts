import { checkPresent } from './boards/agents-check.ts';
import { checkFrozenBoards, checkAllFrozen, readFrozenBoards, withLateBoards } from './boards/frozen-boards.ts';
import { onlyArchivesHave } from './published/archived-months.ts';
import { lastDecidedAt } from './published/decided-round.ts';
import { openFolder } from './prices/candle-folder.ts';
import { type Findings, newFindings } from './findings.ts';
import { type History, isWhole, NOTHING_READ, readHistory } from './published/history.ts';
import { type ClientNeeds, serviceClient, type ServiceClient } from './published/service-client.ts';
import { type PresentState, readPresentState } from './boards/present-state.ts';
import { checkRounds } from './rounds/rounds-check.ts';
import type { Forecasts } from './rounds/round-forecasts.ts';
import type { Kind } from '../rules/kinds.ts';
import { type Period, PERIODS } from '../rules/windows.ts';
import { CannotVerify, type RoundRange, type Settings } from './settings.ts';

const MAX_READINGS = 10;

/** Reports progress by `print`. Throws `CannotVerify` if the service is unreachable or has none of the rounds. */
export async function verify({ url, rounds, candles }: Settings, needs: ClientNeeds): Promise<Findings> {
  const { print } = needs;
  const client = serviceClient(url, needs);
  const folder = candles === null ? null : await openFolder(candles);
  // Read before the rounds: a frozen board's rounds are all decided by then.
  const early = await readFrozenBoards(client);
  const { history, present } = await readAll(client, rounds, print);
  const frozen = await withLateBoards(early, client, history);
  printReadings(history, url, print);
  if (history.archiveOnly.length > 0) print(onlyArchivesHave('predictions', history.archiveOnly));
  const findings = newFindings();
  const { agentRecords, periods, forecasts, kinds, newestEnd, unknownBonuses } = checkRounds(history, findings, folder);
  checkFrozenBoards(frozen, periods, findings);
  checkAllFrozen(frozen, history, findings);
  if (unknownBonuses > 0) {
    print(`${unknownBonuses} streak bonuses were not checked: they depend on rounds before those that were read.`);
  }
  if (present !== null) {
    const resolvedRounds = history.rounds.filter(({ status }) => status === 'resolved').length;
    checkPresent(present, agentRecords.byAgent, { findings, resolvedRounds });
    checkForecastRecords(present, forecasts, { newestEnd, findings });
    kinds.check(present.kindBoards, present.updatedAt, findings);
  }
  return findings;
}

function checkForecastRecords(
  present: PresentState,
  forecasts: Forecasts,
  { newestEnd, findings }: { readonly newestEnd: Date; readonly findings: Findings },
): void {
  const check = (period: Period, { checkpoints }: PresentState['forecasts'][Period], kind: Kind | null): void => {
    const place = `${period} forecast record${kind === null ? '' : ` of ${kind}`}`;
    for (const [index, recomputed] of forecasts.record(period, newestEnd, kind).entries())
      findings.values(`${place}, checkpoint ${index + 1}`, checkpoints[index] ?? {}, recomputed);
  };
  for (const period of PERIODS) check(period, present.forecasts[period], null);
  for (const [kind, { record }] of present.kindBoards) check('alltime', record, kind);
}

/** Reads decided rounds and the boards after them. If a round is resolved meanwhile, it reads both again. */
async function readAll(client: ServiceClient, range: RoundRange | null, print: (line: string) => void) {
  let history = await readHistory(client, range, NOTHING_READ);
  if (range !== null && history.read.size === 0) {
    throw history.archiveOnly.length > 0
      ? new CannotVerify(onlyArchivesHave('predictions', history.archiveOnly))
      : noSuchRounds(history, range);
  }
  for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
    if (!isWhole(history)) {
      print(
        'Totals, standings, boards and stats were not checked: they add up every resolved round, and not all were read.',
      );
      return { history, present: null };
    }
    const present = await readPresentState(client);
    const moved = history.rounds.filter((round) => round.status === 'resolved' || round.amended_at !== null);
    const newest = Math.max(...moved.map((round) => lastDecidedAt(round).getTime()));
    if (present !== null && (moved.length === 0 || newest === present.updatedAt.getTime())) {
      return { history, present };
    }
    print('A round was resolved while boards were read: reading it, and the boards again.');
    history = await readHistory(client, range, history);
  }
  print(`Totals, standings, boards and stats were not checked: they changed during each of ${MAX_READINGS} readings.`);
  return { history, present: null };
}

function noSuchRounds({ rounds }: History, { first, last }: RoundRange): CannotVerify {
  const ids = rounds.map(({ id }) => id);
  const decided =
    ids.length === 0 ? 'no round is decided yet' : `decided are ${Math.min(...ids)} to ${Math.max(...ids)}`;
  return new CannotVerify(`None of the rounds ${first}..${last} is decided: ${decided}.`);
}

function printReadings({ read }: History, url: string, print: (line: string) => void): void {
  const rounds = [...read.values()];
  const ids = rounds.map(({ round }) => round.id);
  const voids = rounds.filter(({ round }) => round.status === 'void').length;
  const predictions = rounds.reduce((total, one) => total + one.predictions.length, 0);
  const range = ids.length === 0 ? '' : `, ${Math.min(...ids)} to ${Math.max(...ids)}`;
  print(`Read from ${url}: ${ids.length} decided rounds (${voids} void)${range}, ${predictions} predictions.`);
}

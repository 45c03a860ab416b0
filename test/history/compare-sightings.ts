import { HOUR, HOURS_A_DAY, hourText, milliseconds } from './hours.ts';
import { decidingAssets } from './oracle-questions.ts';
import { factsOf } from './round-facts.ts';
import type { Candles } from './candle-files.ts';
import type { Recording, Sighting } from './recording.ts';

const STEPS = ['resolving', 'resolved', 'void'];

/** What the list of recent rounds showed on the way: only rounds that are over, whose status never goes back. */
export function sightingFaults(recording: Recording, candles: Candles): string[] {
  const rounds = new Map(recording.rounds.map(({ id, round }) => [id, round]));
  return [...Map.groupBy(recording.sightings, (sighting) => sighting.id)].flatMap(([id, sightings]) => {
    const round = rounds.get(id);
    if (round === undefined) return [`round ${id} was listed as recent and has no results`];
    const facts = factsOf(round);
    const end = (facts.hour + 1) * HOUR;
    const hasPrices = decidingAssets(facts).every((symbol) => candles(symbol, facts.hour) !== undefined);
    const earliestVoid = hasPrices ? end : end + HOURS_A_DAY * HOUR;
    return sightings.flatMap((sighting, index) => {
      const settled = sightings.slice(0, index).find(({ status }) => status !== 'resolving');
      const right =
        STEPS.includes(sighting.status) &&
        (settled === undefined || settled.status === sighting.status) &&
        milliseconds(sighting.to) >= (sighting.status === 'void' ? earliestVoid : end);
      return right ? [] : [faultOf(sighting, `over at ${hourText(facts.hour + 1)}, settled as ${settled?.status}`)];
    });
  });
}

function faultOf({ id, status, from, to }: Sighting, state: string): string {
  return `round ${id} cannot be ${status} between ${from} and ${to}: ${state}`;
}

/** Rounds seen as resolved while an earlier one was still waiting. */
export function overtaken({ sightings }: Recording): number[] {
  const moments = [...Map.groupBy(sightings, (sighting) => sighting.from).values()];
  return moments.flatMap((moment) => {
    const waiting = moment.filter(({ status }) => status === 'resolving').map(({ id }) => id);
    return moment.filter(({ id, status }) => status === 'resolved' && id > Math.min(...waiting)).map(({ id }) => id);
  });
}

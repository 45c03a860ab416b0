import type { Body } from './json.ts';

export const PERIODS = ['daily', 'weekly', 'monthly', 'alltime'] as const;
export type Period = (typeof PERIODS)[number];

/** Everything that the service answered in a run. Plain JSON. */
export interface Recording {
  /** `prediction` of every 201, with the agent's name. */
  accepted: Body[];
  /** `round` of /rounds/current, the first time that it was seen. */
  learned: Body[];
  /** In the order of ids. */
  rounds: RoundRecord[];
  agents: AgentRecord[];
  /** Read while rounds went on resolving, in the order of reading. */
  moments: Moment[];
  /** Items of /rounds/recent while the run went on, in the order of reading. */
  sightings: Sighting[];
  /** The boards of the four periods, /stats and /rounds/recent when nothing moved any more. */
  boards: Body[];
  stats: Body;
  recent: Body[];
  /** The round that is open while the final answers are read. */
  open: Body;
  /** `start_time` of the round that was active when the service was stopped: up to it no hour may be missing. */
  stoppedIn: string;
  /** Answers that are wrong in themselves, such as a 201 to a bad submission. */
  surprises: string[];
}

export interface RoundRecord {
  id: number;
  /** `round` and `predictions` of /results, all pages together. */
  round: Body;
  predictions: Body[];
  entries: Body[];
  /** `results` of the graph: id, edge, and what the price alone said when it was accepted. */
  worths: Body[];
}

export interface AgentRecord {
  id: number;
  name: string;
  /** The whole answers of /agents/{id} and /me. */
  shown: Body;
  own: Body;
}

/** The boards of all periods, read at about one moment. */
export interface Moment {
  boards: Body[];
  /** The newest resolved round (0: none) in /rounds/recent before and after the boards were read. */
  newestBefore: number;
  newestAfter: number;
}

export interface Sighting {
  id: number;
  status: string;
  /** The service's time before and after. */
  from: string;
  to: string;
}

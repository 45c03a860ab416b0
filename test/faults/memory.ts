/** A prediction that was answered 201, as the answer has it. */
export interface Accepted {
  readonly id: number;
  readonly agentId: number;
  readonly roundId: number;
  readonly prediction: string;
  readonly confidence: number;
  /** `YYYY-MM-DDTHH:MM:SS`, UTC. */
  readonly submittedAt: string;
}

/** What an agent sends; it offers the same in a round however often it sends it. */
export interface Offer {
  readonly agentId: number;
  readonly roundId: number;
  readonly prediction: string;
  readonly confidence: number;
}

/** An offer and how many of its attempts have, or may have, been taken without the agent knowing. */
export interface Unanswered extends Offer {
  attempts: number;
}

/** An answer that came; status null when none did. */
export interface Answer {
  readonly status: number | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly latencyMs: number;
  /** The header of that name. */
  readonly retryAfter?: string | null;
}

/** All that the agents of a load remember. */
export interface Memory {
  readonly registered: { readonly id: number; readonly name: string }[];
  /** By id. */
  readonly accepted: ReadonlyMap<number, Accepted>;
  /** Offers without a certain answer, by `offerKey`: a prediction may stand for each of them. */
  readonly unanswered: ReadonlyMap<string, Unanswered>;
  /** How often each status was answered; 0 for no answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How long each 201 took, in milliseconds. */
  readonly latencies: readonly number[];
  /** Answers that nothing explains, in words. */
  readonly surprises: string[];
  /** Notes an attempt that goes out now; the returned function notes its answer. */
  begin(offer: Offer): (answer: Answer) => void;
}

export function offerKey({ agentId, roundId }: { agentId: number; roundId: number }): string {
  return `${agentId} in ${roundId}`;
}

/** Answers that say for certain that the attempt was not taken. */
const REFUSED = new Set([400, 409]);

export function memory(): Memory {
  const accepted = new Map<number, Accepted>();
  const unanswered = new Map<string, Unanswered>();
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  return {
    registered: [],
    accepted,
    unanswered,
    statuses,
    latencies,
    surprises: [],
    begin(offer) {
      const key = offerKey(offer);
      const waiting = unanswered.get(key) ?? { ...offer, attempts: 0 };
      waiting.attempts += 1;
      unanswered.set(key, waiting);
      return ({ status, body, latencyMs }) => {
        statuses.set(status ?? 0, (statuses.get(status ?? 0) ?? 0) + 1);
        if (status === 201) {
          const prediction = acceptedIn(body);
          accepted.set(prediction.id, prediction);
          latencies.push(latencyMs);
        }
        if (status !== null && REFUSED.has(status)) waiting.attempts -= 1;
        if (status === 201 || waiting.attempts === 0) unanswered.delete(key);
      };
    },
  };
}

function acceptedIn({ prediction: answered }: Readonly<Record<string, unknown>>): Accepted {
  const prediction: Record<string, unknown> = Object(answered);
  return {
    id: Number(prediction['id']),
    agentId: Number(prediction['agent_id']),
    roundId: Number(prediction['round_id']),
    prediction: String(prediction['prediction']),
    confidence: Number(prediction['confidence']),
    submittedAt: String(prediction['submitted_at']),
  };
}

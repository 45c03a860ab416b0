import { inSnakeCase } from '../feed/event-log.ts';
import { holdsName, isAgent } from '../reads/agents.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { many, whole } from '../reads/plan/plan.ts';
import { columnReader } from '../reads/plan/read-column.ts';
import { windowColumns } from '../reads/plan/standing.ts';
import { unarchivedRound } from '../reads/rounds.ts';
import { AGENTS } from '../reads/plan/agent.ts';
import { edgeSums } from '../rules/board-value.ts';
import { type Estimate, estimate } from '../rules/breakdowns.ts';
import { DomainError } from '../rules/errors.ts';
import { isOver } from '../rules/round-states.ts';
import { RULES_VERSION } from '../rules/versions.ts';
import { leafHashText } from '../transparency/leaves.ts';
import { leafOf, proofOf } from '../transparency/proofs.ts';
import { publicName, signerOf, signingKeys } from '../transparency/service-keys.ts';
import { logState } from '../transparency/stored-log.ts';
import { type Context, requireViewer } from './context.ts';
import type { Resolvers } from './schema-types.ts';

const { a } = byAlias({ a: 'agents' });

export const logResolvers = {
  Query: {
    async predictionProof(_root, { roundId, predictionId: id }, context) {
      const { read } = context.services;
      const found = await read((em) => leafOf(em, id));
      if (found === null || found.roundId !== roundId) {
        await read((em) => unarchivedRound(em, roundId));
        throw new DomainError('unknown_prediction', `Round ${roundId} has no prediction ${id}.`);
      }
      // The digest of short words can be guessed, with open picks too.
      if (!isOver(found.status) && (await context.viewer())?.id !== found.agentId)
        throw new DomainError(
          'forbidden',
          `Prediction ${id} is another agent's, and sealed until round ${roundId} is over.`,
        );
      return withProof(context, { ...found, id });
    },
    async receipt(_root, { predictionId: id }, context) {
      const agent = await requireViewer(context);
      const found = await context.services.read((em) => leafOf(em, id));
      if (found === null) throw new DomainError('unknown_prediction', `There is no prediction ${id}.`);
      if (found.agentId !== agent.id)
        throw new DomainError(
          'forbidden',
          `A receipt must be of your own prediction; prediction ${id} is another agent's.`,
        );
      return withProof(context, { ...found, id });
    },
    async signedRecord(_root, { name, period }, { services }) {
      const { read, readJson, clock, keyPepper } = services;
      const now = clock.now();
      const agents = AGENTS.leftJoin('standings as s', 's.agent_id', 'a.id')
        .where(isAgent({ name }))
        .where(holdsName(now));
      const figures = whole({ ...a.plain('id', 'name'), ...windowColumns(period ?? 'alltime') });
      const [window] = await columnReader(readJson, 'own')(many(figures, agents));
      if (window === undefined) return null;
      const { origin, note } = await read(logState);
      const record = {
        format: 'hourcast record 1',
        origin,
        agentId: window.id,
        name: window.name,
        period: period ?? 'alltime',
        rounds: window.competitions,
        points: window.points,
        edge: rounded(estimate(edgeSums(window))),
        rulesVersion: RULES_VERSION,
        signedAt: now,
        checkpoint: note,
      };
      const keys = await read((em) => signingKeys(em, keyPepper, () => {}));
      if (keys.length === 0) throw new DomainError('unavailable', 'The service has no key that signs at present.');
      const text = signedText(record);
      const signatures = keys.map((key) => ({ publicKey: publicName(key), signature: signerOf(key)(text) }));
      return { ...record, signatures };
    },
  },
} satisfies Resolvers;

async function withProof({ services }: Context, { id, roundId, leaf }: { id: number; roundId: number; leaf: string }) {
  const proof = await services.read((em) => proofOf(em, { id, roundId }));
  const { index = null, size = null, proof: hashes = null, checkpoint = null } = proof ?? {};
  return { leaf, leafHash: leafHashText(leaf), index, size, proof: hashes, checkpoint };
}

function six(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** All languages write six decimals alike. */
function rounded(edge: Estimate | null): Estimate | null {
  if (edge === null) return null;
  const { mean, low, high, n } = edge;
  return { mean: six(mean), low: low === null ? null : six(low), high: high === null ? null : six(high), n };
}

/** The JSON of REST with sorted keys. */
function signedText(record: object): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(inSnakeCase({ ...value })).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        ),
  );
}

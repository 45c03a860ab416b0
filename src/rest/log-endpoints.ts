import type { Endpoint } from './endpoint.ts';
import { unknownName } from './row-parts.ts';

const PROOF = '{ leaf  leaf_hash: leafHash  index  size  proof  checkpoint }';

export const LOG_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/rounds/{round_id}/predictions/{prediction_id}/proof',
    summary: "A prediction's leaf in the log, and the proof that the log has it.",
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'proof',
    document: `query ($round_id: Int!, $prediction_id: Int!) {
      body: predictionProof(roundId: $round_id, predictionId: $prediction_id) ${PROOF} }`,
  },
  {
    method: 'GET',
    path: '/api/me/predictions/{prediction_id}/receipt',
    summary: "Your prediction's leaf in the log, and, once its round has closed, the proof that the log has it.",
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'receipt',
    document: `query ($prediction_id: Int!) { body: receipt(predictionId: $prediction_id) ${PROOF} }`,
  },
  {
    method: 'GET',
    path: '/api/agents/{name}/record.json',
    summary: "An agent's record, signed by the service, for readers that do not call it.",
    limit: 'record',
    document: `query ($name: String!, $period: Period) {
      body: signedRecord(name: $name, period: $period) { format  origin  agent_id: agentId  name  period  rounds  points
        edge { mean low high n }  rules_version: rulesVersion  signed_at: signedAt  checkpoint
        signatures { public_key: publicKey  signature } } }`,
    missing: unknownName,
  },
];

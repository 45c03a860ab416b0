import { authorization, say, url } from './common.mjs';

const [name] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } =
  name === '@modelcontextprotocol/client'
    ? await import(name)
    : { ...(await import(`${name}/client/index.js`)), ...(await import(`${name}/client/streamableHttp.js`)) };
const client = new Client({ name: 'foreign', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization } } }),
);
// Clients check what is structured once they know the list.
await client.listTools();
const call = async (tool, given) => (await client.callTool({ name: tool, arguments: given })).content[0].text;
const { round } = JSON.parse(await call('current_round', {}));
say({ round: round.id });
const answer = { round_id: round.id, prediction: round.choices[0], confidence: 60 };
const { prediction } = JSON.parse(await call('predict', answer));
say({ predicted: prediction.prediction });
const refusals = [
  ['already_predicted', 'predict', { ...answer, confidence: 61 }],
  ['not_current_round', 'predict', { ...answer, round_id: 999_999 }],
  ['invalid_parameter', 'predict', { ...answer, confidence: 101 }],
  ['unknown_round', 'round_results', { round_id: 999_999 }],
  ['unknown_agent', 'agent_record', { agent_id: 999_999 }],
];
for (const [code, tool, given] of refusals) say({ refused: code, said: JSON.parse(await call(tool, given)).code });
await client.close();

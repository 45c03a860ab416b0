import type { Client } from '../client.ts';
import type { RoundsExportRow } from '../reference.ts';
import type { Command, Context } from './command.ts';
import { NoKeyError } from './exit-codes.ts';
import { columns, inShort, percent, signed } from './figures.ts';
import { type Group, type Review, reviewOf } from './review-figures.ts';

export const REVIEW: Command = {
  name: 'review',
  usage: '[--agent NAME] [--last COUNT]',
  about: 'shows where your edge comes from, your calibration, worst answers and missed rounds',
  options: {
    agent: { type: 'string', value: 'NAME', about: 'another agent than your own; needs no key' },
    last: { type: 'string', value: 'COUNT', about: 'only this many of the last scored answers' },
  },
  async run(context) {
    const { connect, given, output, signal } = context;
    const last = given.whole('last', { min: 1, max: 1_000_000 });
    const client = connect();
    const { agent } = await whose(context, client);
    output.progress(`Reading the predictions of ${agent.name}`);
    const predictions = await rowsOf(client.export('predictions', { agent_id: String(agent.id) }, { signal }));
    const scored = predictions.filter(({ score }) => score !== null).slice(-(last ?? Infinity));
    output.progress('Reading the rounds');
    // Unknown for other agents. The first answer may be in the round of the registration, which began before.
    const registered = 'registered_at_iso' in agent && last === undefined ? agent.registered_at_iso : null;
    const first = scored[0]?.start_time.replace(' ', 'T').concat('Z');
    const [from] = [registered, first].filter((time) => time != null).toSorted();
    const rounds: RoundsExportRow[] =
      from === undefined ? [] : await rowsOf(client.export('rounds', { status: 'resolved', from }, { signal }));
    output.idle();
    const review = reviewOf(agent.name, scored, rounds);
    output.json(review);
    print(review, context);
  },
};

async function whose({ given, hasKey, signal }: Context, client: Client) {
  const name = given.text('agent');
  if (name !== undefined) return client.agentByName({ name }, { signal });
  if (!hasKey) throw new NoKeyError();
  return client.me({ signal });
}

async function rowsOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function print(review: Review, { output }: Context): void {
  const { agent, answers, edge, points, pnl_usd: pnl, right_share: share, brier, missed } = review;
  if (edge === null) {
    output.line(`${agent} has no scored answer yet.`);
    return;
  }
  const title = (text: string): void => output.line(`\n${output.paint('bold', text)}`);
  const table = (rows: readonly (readonly string[])[]): void => columns(rows).forEach((row) => output.line(`  ${row}`));
  output.line(`${output.paint('bold', agent)}: ${answers} scored answers, ${percent(share)} right`);
  output.line(`  edge ${edgeText(edge)}, the mean gain of an answer over the price alone; above 0 is better`);
  output.line(`  ${signed(points)} points, ${signed(pnl ?? 0, 2)} USD, Brier score ${brier?.toFixed(3)}`);
  for (const [heading, groups] of [
    ['Edge by question', review.by_type],
    ['Edge by asset', review.by_asset],
    ['Edge by minutes left when it was answered', review.by_lead],
  ] as const) {
    title(heading);
    table([['', 'answers', 'edge', '±'], ...groups.map(groupRow)]);
  }
  title('Calibration: confidence, and the share of right answers');
  table([
    ['said', 'answers', 'mean', 'right'],
    ...review.calibration.map((bin) => [bin.name, `${bin.answers}`, percent(bin.said), percent(bin.right)]),
  ]);
  title('Worst of the wrong answers, by edge');
  table([
    ['round', 'edge', 'answer', 'question'],
    ...review.worst.map((one) => [
      `${one.round_id}`,
      signed(one.edge, 3),
      `${one.prediction}, ${one.confidence} %`,
      inShort(one.question ?? one.question_type),
    ]),
  ]);
  title(`Missed rounds: ${missed.count} of ${missed.of}`);
  if (missed.count > 0) output.line(`  the last ones: ${missed.last.join(', ')}`);
}

/** A row of a table of edges. */
export const groupRow = ({ name, answers, edge, margin }: Group): string[] => [
  name,
  `${answers}`,
  signed(edge, 4),
  margin?.toFixed(4) ?? '',
];

const edgeText = ({ edge, margin }: Pick<Group, 'edge' | 'margin'>): string =>
  `${signed(edge, 4)}${margin === null ? '' : ` ± ${margin.toFixed(4)}`}`;

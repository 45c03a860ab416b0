import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';
import { printSchema } from 'graphql';

import { RESOURCES } from '../../src/mcp/resources.ts';
import { inputSchemaOf } from '../../src/mcp/tool-inputs.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { compileTable } from '../../src/rest/compile.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { BOARD_ORDERS } from '../../src/rules/board-orders.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The cells of the rows of the guide's tables that begin with a name. */
const rows = [...GUIDE.matchAll(/^\| `.+\|$/gm)].map(([line]) => line.split('|').slice(1, -1));

test('the guide has a row for each tool, with arguments, defaults and results', () => {
  const endpoints = compileTable(ENDPOINTS, makeSchema());
  const stated = rows
    .filter(([first = '']) => !first.includes('://'))
    .map(([name, given, answers]) => ({ name: namesIn(name)[0], arguments: given?.trim(), answers: namesIn(answers) }));
  expect(stated).toEqual(
    TOOLS.map((tool) => ({
      name: tool.name,
      arguments: Object.keys(inputSchemaOf(tool, endpoints).properties)
        .map(
          (name) =>
            `\`${name}\`${tool.defaults?.[name] === undefined ? '' : ` (${JSON.stringify(tool.defaults[name])})`}`,
        )
        .join(', '),
      answers:
        tool.answers === 'graphql' ? [] : [...tool.answers, ...(tool.beside ?? []).map(({ answers }) => answers)],
    })),
  );
});

test('the guide has a row for each resource', () => {
  const stated = rows.flatMap(([first = '']) => namesIn(first)).filter((name) => name.includes('://'));
  expect(stated).toEqual(RESOURCES.map(({ uri }) => uri));
});

test('the tool leaderboard describes each order of a board', () => {
  const [, described = ''] = /`order_by`: (.+)\. All/.exec(textOf(TOOLS, 'leaderboard')) ?? [];
  const orders = [...described.matchAll(/(\w+) \(/g)].map(([, name = '']) => name.toUpperCase());
  expect(orders.toSorted()).toEqual(BOARD_ORDERS.toSorted());
});

test('the resource schema states its size', () => {
  const kilobytes = Math.round(Buffer.byteLength(printSchema(makeSchema())) / 10_000) * 10;
  expect(textOf(RESOURCES, 'schema')).toContain(`some ${kilobytes} kB`);
});

function textOf(all: readonly { name: string; description: string }[], named: string): string {
  return all.find(({ name }) => name === named)?.description ?? '';
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSchema, type GraphQLSchema, parse, print, visit } from 'graphql';

import packageFile from '../../../package.json' with { type: 'json' };
import { serviceReference } from '../../../src/openapi/document.ts';
import type { OpenApi } from '../../../src/openapi/openapi.ts';
import { isAbove } from '../../../src/resolvers/changes.ts';
import { makeSchema } from '../../../src/resolvers/schema.ts';
import { compileTable } from '../../../src/rest/compile.ts';
import { ENDPOINTS } from '../../../src/rest/endpoints.ts';
import type { Verdict } from '../../verdict.ts';
import { sectionsOf, UNRELEASED } from '../changelog.ts';
import type { Breaking } from './breaking.ts';
import { breakingInSchema } from './graphql.ts';
import { breakingInReference, type Reference } from './openapi.ts';

/** The interface of a version, without words for people. */
export interface Contract {
  readonly version: string;
  readonly schema: GraphQLSchema;
  readonly reference: Reference;
}

interface ContractFiles {
  readonly 'schema.graphql': string;
  readonly 'openapi.json': string;
}

/** Has the newest release's contract, since a clone may lack tags and history. */
const RELEASED = 'scripts/release/released';
const FOR_PEOPLE = new Set(['description', 'summary', 'example', 'examples', 'tags']);

/** This code's contract as files, an operation or a named object a line. */
export function contractFiles(version = packageFile.version): ContractFiles {
  const schema = makeSchema();
  const reference = serviceReference({ schema, table: compileTable(ENDPOINTS, schema), version });
  return filesOf(reference, readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'), version);
}

export function filesOf(
  { paths, webhooks, components }: Pick<OpenApi, 'paths' | 'webhooks' | 'components'>,
  schema: string,
  version: string,
): ContractFiles {
  const parts = {
    paths: linesOf(paths),
    webhooks: linesOf(webhooks),
    components: `{\n"schemas": ${linesOf(components.schemas)},\n"responses": ${linesOf(components.responses)}\n}`,
  };
  const text = Object.entries(parts).map(([name, lines]) => `${JSON.stringify(name)}: ${lines}`);
  return {
    'schema.graphql': `${withoutDescriptions(schema)}\n`,
    'openapi.json': `{\n"version": ${JSON.stringify(version)},\n${text.join(',\n')}\n}\n`,
  };
}

function linesOf(parts: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(parts).map(([name, part]) => `${JSON.stringify(name)}: ${bare(part)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** A property with one of the names has a schema, an object, and stays. */
function bare(part: unknown): string {
  return JSON.stringify(part, function omit(this: unknown, key: string, value: unknown) {
    const isWords = FOR_PEOPLE.has(key) && !(key !== 'example' && isObject(value) && !Array.isArray(value));
    return isWords ? undefined : value;
  });
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function withoutDescriptions(schema: string): string {
  return print(
    visit(parse(schema), { enter: (node) => ('description' in node ? { ...node, description: undefined } : node) }),
  );
}

export function contractOf(files: ContractFiles): Contract {
  const { version, ...reference } = JSON.parse(files['openapi.json']);
  return { version, schema: buildSchema(files['schema.graphql']), reference };
}

/** The newest release's contract in a folder's tree. */
export function releasedContract(root: string): Contract {
  const read = (name: string): string => readFileSync(join(root, RELEASED, name), 'utf8');
  return contractOf({ 'schema.graphql': read('schema.graphql'), 'openapi.json': read('openapi.json') });
}

export function writeContract(root: string, files: ContractFiles): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, RELEASED, name), text);
}

export function breakingChanges(before: Contract, after: Contract): readonly Breaking[] {
  return [...breakingInSchema(before.schema, after.schema), ...breakingInReference(before.reference, after.reference)];
}

/** Every breaking change since a release needs an entry, changed or removed, that has its element in backticks. */
export function judgeContract(before: Contract, after: Contract, changelog: string): Verdict {
  const entries = sectionsOf(changelog)
    .filter(({ title }) => title === UNRELEASED || isAbove(title, before.version))
    .flatMap((section) => section.entries)
    .filter(({ kind }) => kind === 'changed' || kind === 'removed');
  const breaking = breakingChanges(before, after);
  const untold = breaking.filter(({ element }) => !entries.some(({ text }) => text.includes(`\`${element}\``)));
  if (untold.length === 0)
    return {
      passes: true,
      sentence: `Contract: ${breaking.length} breaking changes since ${before.version}, all in the changelog.`,
    };
  const lines = untold.map(({ element, change }) => `  \`${element}\`: ${change}`);
  const rule = `Breaking changes since ${before.version} need an entry under Changed or Removed of the changelog with the name in backticks:`;
  return { passes: false, sentence: [rule, ...lines].join('\n') };
}

import { csvCell, csvLine, EXPORT_FORMATS, type ExportFormat } from '../export/formats.ts';
import type { ExportList } from '../export/export-list.ts';
import { EXPORT_LISTS } from '../export/lists.ts';
import type { Column, ExportValue } from '../export/columns.ts';
import { type JsonSchema, nullable, objectOf } from '../rest/described.ts';
import { type Example, mediaType } from './endpoint-operation.ts';
import { TIMES } from './document-data.ts';
import { capital } from './names.ts';
import { component, inQuery, type Operation, type PathItem } from './openapi.ts';
import { headers, inWords, LIMITED, rateLimit, refusals, STREAM_REFUSALS } from './responses.ts';

export function exportPaths(examples: Readonly<Record<string, Example>>): Readonly<Record<string, PathItem>> {
  const paths = EXPORT_LISTS.open.flatMap((list) =>
    EXPORT_FORMATS.map((format) => {
      const row = examples[`GET /api/export/${list.name}.ndjson`]?.answer;
      return [`/api/export/${list.name}.${format.name}`, { get: exportOperation(list, format, row) }] as const;
    }),
  );
  return Object.fromEntries(paths);
}

export function exportSchemas(): Readonly<Record<string, JsonSchema>> {
  const schemas = EXPORT_LISTS.open.map((list) => {
    const columns = list.columns.map((column) => [column.name, columnSchema(column)]);
    return [rowName(list), objectOf(Object.fromEntries(columns), 'One line of the export.')];
  });
  return Object.fromEntries(schemas);
}

const BOM = inQuery('bom', '1: the file begins with a byte order mark, by which spreadsheets recognize UTF-8.', {
  type: 'integer',
  enum: [0, 1],
  default: 0,
});

function exportOperation(list: ExportList, format: ExportFormat, row: unknown): Operation {
  const { name, filters } = list;
  return {
    operationId: `export${capital(name)}${capital(format.name)}`,
    summary: `All ${name}, as ${format.name.toUpperCase()}, in the order of their ids.`,
    description: `A stream of any length, narrowed by the parameters; any other parameter is refused. One address has one export at a time; one that takes longer than 10 minutes is cut after a complete line: continue with \`after\`. Limit: ${inWords('exports')}.`,
    tags: ['Exports'],
    security: [],
    parameters: [
      inQuery('after', 'The id in the last line that was received: the export continues after it.', {
        type: 'integer',
        minimum: 0,
        default: 0,
      }),
      ...(format.parameters.includes('bom') ? [BOM] : []),
      ...filters.map((filter) => inQuery(filter.name, `Only rows that match: ${filter.mustBe}.`, { type: 'string' })),
    ],
    responses: {
      200: {
        description:
          format.name === 'csv'
            ? `A heading, then a line for each row: ${list.columns.map((column) => `\`${column.name}\``).join(', ')}.`
            : 'One JSON object on each line.',
        headers: headers(...LIMITED),
        content: {
          [mediaType(format.contentType)]: {
            schema: format.name === 'ndjson' ? component('schemas', rowName(list)) : { type: 'string' },
            ...shownRow(list, format, row),
          },
        },
      },
      ...refusals(STREAM_REFUSALS, { limit: 'exports', endpoint: `GET /api/export/${name}.${format.name}` }),
    },
    'x-rate-limit': rateLimit('exports'),
  };
}

function shownRow({ columns }: ExportList, { name, head }: ExportFormat, row: unknown) {
  if (typeof row !== 'object' || row === null) return {};
  if (name === 'ndjson') return { example: row };
  const values: Readonly<Record<string, ExportValue>> = { ...row };
  return { example: head(columns) + csvLine(columns.map((column) => csvCell(values[column.name] ?? null))) };
}

function rowName({ name }: ExportList): string {
  return `${capital(name)}ExportRow`;
}

/** Nullable if the description mentions null. */
function columnSchema({ kind, description }: Column): JsonSchema {
  const described = { ...KINDS[kind], description };
  if (!/\bnull\b/.test(description)) return described;
  return { ...nullable(described), ...(described.enum === undefined ? {} : { enum: [...described.enum, null] }) };
}

const KINDS: Readonly<Record<Column['kind'], JsonSchema>> = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  text: { type: 'string' },
  flag: { type: 'integer', enum: [1, 0] },
  list: { type: 'array', items: { type: 'string' } },
  numbers: { type: 'array', items: { type: 'number' } },
  day: TIMES.SPACED,
  second: TIMES.JOINED,
  instant: TIMES.ISO,
};

import type { Request } from 'express';

import { queryOf } from '../http/parameters.ts';
import type { StreamRoute } from '../rest/endpoint.ts';
import { DomainError } from '../rules/errors.ts';
import type { Picks } from '../rules/predictions.ts';
import { afterOf, conditionsOf, markOf } from './filters.ts';
import { EXPORT_FORMATS, type ExportFormat } from './formats.ts';
import type { ExportList } from './export-list.ts';
import { EXPORT_LISTS } from './lists.ts';
import { exportSlots } from './export-limits.ts';
import type { ReadRows } from './row-stream.ts';
import { sendText } from './send-text.ts';

interface ExportOptions {
  readonly read: ReadRows;
  /** Decides if answers are public while the round runs. */
  readonly picks: Picks;
  readonly report: (error: unknown) => void;
  /** The timeout in real milliseconds; default `EXPORT_LIMITS.longestMs`. */
  readonly longestMs?: number | undefined;
}

/**
 * `GET /api/export/<list>.<format>`: a route per list and format, and one without a format, which names the formats.
 */
export function exportRoutes(options: ExportOptions): StreamRoute[] {
  const inSlot = exportSlots();
  return EXPORT_LISTS[options.picks].flatMap((list) => [
    ...EXPORT_FORMATS.map((format) =>
      route(`/api/export/${list.name}.${format.name}`, sending(list, format, { ...options, inSlot })),
    ),
    route(`/api/export/${list.name}`, async (request) => nameFormats(request)),
  ]);
}

function route(path: string, answer: StreamRoute['answer']): StreamRoute {
  return { path, limit: 'exports', answer };
}

function nameFormats({ path }: Request): never {
  const paths = EXPORT_FORMATS.map(({ name }) => `${path}.${name}`).join(' or ');
  throw new DomainError('unknown_path', `There is no ${path}; ask for ${paths}.`);
}

function sending(
  list: ExportList,
  format: ExportFormat,
  options: ExportOptions & { readonly inSlot: ReturnType<typeof exportSlots> },
): StreamRoute['answer'] {
  return async (request, response) => {
    const query = queryOf(request);
    const condition = conditionsOf(list.filters, query, format.parameters);
    const wanted = { list, condition, after: afterOf(query) };
    const mark = markOf(query);
    const headers = {
      'Content-Type': format.contentType,
      'Content-Disposition': `attachment; filename="${list.name}.${format.name}"`,
    };
    await options.inSlot(request, () =>
      sendText(textOf({ list, format, mark }, options.read(wanted)), response, { ...options, headers }),
    );
  };
}

interface ExportText {
  readonly list: ExportList;
  readonly format: ExportFormat;
  readonly mark: string;
}

/** Byte order mark and heading, then the text of each page of rows. */
async function* textOf(
  { list: { columns }, format: { head, line }, mark }: ExportText,
  pages: ReturnType<ReadRows>,
): AsyncGenerator<string> {
  let text = mark + head(columns);
  for await (const rows of pages) {
    yield text + rows.map((row) => line(columns, row)).join('');
    text = '';
  }
  if (text !== '') yield text;
}

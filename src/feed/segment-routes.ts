import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Request } from 'express';

import type { Read } from '../database/reads.ts';
import type { AnswerCache } from '../http/answer-cache.ts';
import { FOR_A_SECOND, FOR_EVER } from '../http/cache-headers.ts';
import { encodingFor, sendCached } from '../http/compression.ts';
import { checkKnown, numberIn, queryOf, wholeNumber } from '../http/parameters.ts';
import { MAX_ID } from '../limits.ts';
import type { StreamRoute } from '../rest/endpoint.ts';
import { refused } from '../rules/errors.ts';
import { ANY_EPOCH, HEAD_PATH, headBody, MAX_SEGMENT, SEGMENT_PATH, segmentBody } from './segments.ts';

/** The event log in parts that every cache may keep. The newest part is made once for each new event. */
export function segmentRoutes(read: Read, cache: AnswerCache): StreamRoute[] {
  const answer: StreamRoute['answer'] = async (request, response) => {
    const { key, immutable, bodyBy } = partIn(request);
    const produce = async () => ({ body: await read(bodyBy), immutable, lasts: true });
    const kept = await cache.answer(key, { dependsOn: ['events'], produce });
    // Strong, so it differs between encodings.
    const etag = kept.etag.replace(/^W\/"(.*)"$/, `"$1-${encodingFor(request)}"`);
    response.set({ ...(immutable ? FOR_EVER : FOR_A_SECOND), ETag: etag });
    await sendCached(response.type('json'), kept);
  };
  const paths = [HEAD_PATH, SEGMENT_PATH.replace('{n}', ':n')];
  return paths.map((path) => ({ path, limit: 'eventLog', answer }));
}

/** The key is the same for all spellings of a request. */
function partIn(request: Request) {
  const query = queryOf(request);
  const { n: text } = request.params;
  checkKnown(query, text === undefined ? [] : ['epoch']);
  if (text === undefined) return { key: HEAD_PATH, immutable: false, bodyBy: headBody };
  const n = wholeNumber(String(text), { min: 1, max: MAX_SEGMENT });
  if (n === null) throw refused('n', `a whole number from 1 to ${MAX_SEGMENT}`, text);
  // A restored backup may use numbers again: without the epoch an address has no lasting bytes.
  const epoch = numberIn(query, 'epoch', { min: 1, max: MAX_ID, default: ANY_EPOCH });
  const bodyBy = (em: SqlEntityManager) => segmentBody(em, n, epoch);
  return { key: `${SEGMENT_PATH} ${n} ${epoch}`, immutable: epoch !== ANY_EPOCH, bodyBy };
}

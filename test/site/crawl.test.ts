import { createServer } from 'node:http';

import { expect, test } from '@jest/globals';

import { copyService } from '../../src/site/crawl.ts';
import { listening } from '../support/listening.ts';

test('an answer that breaks off is refused with one sentence', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': 10 }).write('half', () => response.destroy());
  });
  await using service = await listening(server);
  await expect(
    copyService('/nowhere', new Date(), { from: service.url, service: undefined, base: undefined }),
  ).rejects.toThrow(/^The service must answer \(http:\/\/\S+ did not\)\.$/);
});

import { createHash } from 'node:crypto';

import { expect, test } from '@jest/globals';

import { TOOLS } from '../../src/mcp/tools.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();
const INDEX = '/.well-known/agent-skills/index.json';

test('the index has one skill with its address and digest', async () => {
  const { status, body, headers } = await service.request('GET', INDEX);
  expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: expect.stringContaining('json') });
  expect(body.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
  const [skill, ...others] = body.skills;
  expect(others).toEqual([]);
  expect(skill).toMatchObject({
    name: 'hourcast',
    type: 'skill-md',
    url: '/.well-known/agent-skills/hourcast/SKILL.md',
  });
  const answer = await fetch(service.url + skill.url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-type')).toMatch(/^text\/markdown/);
  expect(skill.digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(bytes.toString()) ?? [];
  expect({ name, description }).toEqual({ name: skill.name, description: skill.description });
  expect(String(description).length).toBeLessThanOrEqual(1024);
});

test('the skill has every tool and every endpoint, and is short enough to read at once', async () => {
  const text = await (await fetch(`${service.url}/.well-known/agent-skills/hourcast/SKILL.md`)).text();
  for (const { name } of TOOLS) expect(text).toContain(`\n- \`${name}\`: `);
  for (const { method, path, summary } of ENDPOINTS) expect(text).toContain(`\n- \`${method} ${path}\`: ${summary}`);
  expect(Buffer.byteLength(text)).toBeLessThan(12_000);
});

test('the folder itself is the index', async () => {
  for (const path of ['/.well-known/agent-skills', '/.well-known/agent-skills/'])
    expect(await service.request('GET', path)).toMatchObject({ status: 200, body: { skills: [{ name: 'hourcast' }] } });
});

test('pages of other origins can read the skill by GET only', async () => {
  const answer = await fetch(service.url + INDEX, { headers: { origin: 'https://elsewhere.example' } });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect((await fetch(service.url + INDEX, { method: 'POST' })).status).toBe(405);
});

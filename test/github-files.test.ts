import { expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const yamlOf = (path: string) => parse(read(path), { strict: true, uniqueKeys: true });
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: ROOT }).toSorted();
const FORMS = ['bug', 'feature'].map((name) => `.github/ISSUE_TEMPLATE/${name}.yml`);

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly steps: readonly Step[];
  readonly 'runs-on': string;
  readonly permissions?: Readonly<Record<string, string>>;
}

const jobsOf = (workflow: string): Readonly<Record<string, Job>> => yamlOf(workflow).jobs;
const stepsOf = (workflow: string): readonly Step[] => Object.values(jobsOf(workflow)).flatMap(({ steps }) => steps);

test.each(FORMS)('%s has fields with different ids, labels and a required one', (form) => {
  const { name, description, body } = yamlOf(form);
  expect([typeof name, typeof description]).toEqual(['string', 'string']);
  const fields: readonly { id: string; attributes: { label: string }; validations?: { required: boolean } }[] =
    body.filter(({ type }: { readonly type: string }) => type !== 'markdown');
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  expect(fields.filter(({ attributes }) => !attributes.label)).toEqual([]);
  expect(fields.some(({ validations }) => validations?.required)).toBe(true);
});

test('the form for bugs requires the version, the output of doctor, and steps', () => {
  const { body } = yamlOf(FORMS[0] ?? '');
  const required: readonly string[] = body.flatMap((field: { id: string; validations?: { required: boolean } }) =>
    field.validations?.required ? [field.id] : [],
  );
  expect(required).toEqual(expect.arrayContaining(['version', 'doctor', 'steps']));
  expect(read(FORMS[0] ?? '')).toContain('npx hourcast doctor --json');
});

test('questions and vulnerabilities have an address instead of a form', () => {
  const { blank_issues_enabled: isOpen, contact_links: links } = yamlOf('.github/ISSUE_TEMPLATE/config.yml');
  expect(isOpen).toBe(false);
  expect(links.map(({ name, url }: { name: string; url: string }) => [name, URL.canParse(url)])).toEqual([
    ['Question', true],
    ['Vulnerability', true],
  ]);
});

test('updates cover each lock file, the Python client, workflows and images', () => {
  const updates: readonly { 'package-ecosystem': string; directory?: string; directories?: string[] }[] =
    yamlOf('.github/dependabot.yml').updates;
  const foldersOf = (ecosystem: string) =>
    updates
      .filter((one) => one['package-ecosystem'] === ecosystem)
      .flatMap(({ directory, directories = [] }) => [directory ?? [], directories].flat());
  const locks = globSync('{.,bench,clients/*,test/*/*}/package-lock.json', { cwd: ROOT });
  expect(foldersOf('npm').toSorted()).toEqual(
    locks.map((path) => `/${path}`.replace(/\/package-lock\.json$/, '') || '/').toSorted(),
  );
  expect(['pip', 'github-actions', 'docker', 'docker-compose'].map((one) => foldersOf(one))).toEqual([
    ['/clients/python'],
    ['/'],
    ['/'],
    ['/deploy'],
  ]);
  expect(
    ['clients/python/pyproject.toml', 'Dockerfile', 'deploy/compose.yaml'].filter(
      (path) => !existsSync(join(ROOT, path)),
    ),
  ).toEqual([]);
});

test.each(WORKFLOWS)('%s has the least permissions, pinned actions, and commands of the clone', (workflow) => {
  expect(yamlOf(workflow).permissions).toHaveProperty('contents', 'read');
  const actions = stepsOf(workflow).flatMap(({ uses }) => uses ?? []);
  expect(actions.filter((uses) => !/^[\w-]+\/[\w/-]+@(v\d+|[\da-f]{40})$/.test(uses))).toEqual([]);
  const commands = stepsOf(workflow).flatMap(({ run }) => run ?? []);
  const missing = commands.flatMap((command) =>
    [...command.matchAll(/npm (?:run )?(?!(?:ci|pack|install)\b)([\w:-]+)/g)].filter(
      ([, name = '']) => scripts[name] === undefined,
    ),
  );
  expect(missing).toEqual([]);
  const programs = commands.flatMap((command) => /\.ci\/\S+/.exec(command) ?? []);
  expect(programs.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('fast checks run on Linux x64 and arm64 and on macOS with three versions of Node; the whole check once', () => {
  const { fast, whole } = yamlOf('.github/workflows/check.yml').jobs;
  expect(fast.strategy.matrix).toEqual({
    os: ['ubuntu-latest', 'ubuntu-24.04-arm', 'macos-latest'],
    node: [20, 22, 24],
  });
  expect(fast['runs-on']).toBe('${{ matrix.os }}');
  const versions = fast.steps.flatMap((step: { with?: Record<string, string> }) => step.with?.['node-version'] ?? []);
  expect(versions.at(-1)).toBe('${{ matrix.node }}');
  expect([whole['runs-on'], whole.strategy]).toEqual(['ubuntu-latest', undefined]);
  expect(whole.steps.some(({ run }: Step) => run?.includes('.ci/run'))).toBe(true);
  for (const { steps } of [fast, whole])
    expect(steps.find(({ uses }: Step) => uses?.startsWith('actions/setup-node@'))).toMatchObject({
      with: { cache: 'npm' },
    });
});

test('a tag pushes an image that was scanned by a job without the right to push', () => {
  const { on, jobs } = yamlOf('.github/workflows/image.yml');
  expect(on).toEqual({ push: { tags: ['v*'] } });
  expect(jobs.scan.permissions).toBeUndefined();
  expect(jobs.scan.steps.some(({ uses }: Step) => uses?.startsWith('aquasecurity/trivy-action@'))).toBe(true);
  expect(jobs.push).toMatchObject({ needs: 'scan', permissions: { packages: 'write' } });
});

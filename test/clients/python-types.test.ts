import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { whereInstalled } from '../support/installed.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { PYTHON_SOURCES } from './languages.ts';
import { run } from './programs.ts';

/* The types of the Python client: they can be read while it runs, and say enough for who checks strictly. */

const env = { PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };

whereInstalled(['python3'], 'the Python client', () => {
  test('typing.get_type_hints resolves every type of functions and classes', async () => {
    const { stdout, stderr } = await run(['python3', join(import.meta.dirname, 'drivers/type_hints.py')], { env });
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^\d{3,}\n$/), stderr: '' });
  });
});

/** Each line that ends with `# wrong` must be refused, and no other. */
const PROGRAM = `from hourcast import Client

client = Client()
client.set_standing([{"question_type": "direction", "prediction": "YES", "confidence": 60}])
client.set_standing(5)  # wrong
client.create_webhook("https://example.org", kinds=5)  # wrong
client.predict(1, "BTC", "60")  # wrong
client.current_round()["round"]["id"]  # wrong
for row in client.export("rounds"):
    row["nothing"]  # wrong
`;

whereInstalled(['mypy'], 'mypy --strict', () => {
  test('mypy finds nothing in the Python client, and every error of a program', async () => {
    await using scoped = await scopedFolder();
    const folder = scoped.path;
    const strict = ['mypy', '--strict', '--no-error-summary', '--cache-dir', join(folder, 'cache')];
    const own = await run([...strict, join(PYTHON_SOURCES, 'hourcast')]);
    writeFileSync(join(folder, 'program.py'), PROGRAM);
    const { stdout } = await run([...strict, 'program.py'], { cwd: folder, env: { MYPYPATH: PYTHON_SOURCES } });
    expect(own).toEqual({ code: 0, stdout: '', stderr: '' });
    const wrong = PROGRAM.split('\n').flatMap((line, at) => (line.endsWith('# wrong') ? [at + 1] : []));
    const refused = [...stdout.matchAll(/^program\.py:(\d+): error/gm)].map(([, line]) => Number(line));
    expect([...new Set(refused)]).toEqual(wrong);
  });
});

import { expect, test } from '@jest/globals';

import { drawnPage } from '../support/drawn-page.ts';
import { openField } from '../support/played-field.ts';

test('the first page’s board is by edge once ten agents have 20 rounds, unless the address has an order', async () => {
  const field = await openField({ agents: 10 });
  const read = async (path: string): Promise<string> => (await drawnPage(field.service, path)).text;
  try {
    await field.play(19, 1);
    expect(await read('/?period=alltime')).toContain('By points until ten agents have 20 rounds.');
    await field.play(1, 1);
    const byEdge = await read('/?period=alltime');
    expect(byEdge).toContain('By edge: ten agents have 20 rounds. Points reward late answers; edge does not.');
    expect(byEdge).toContain('Agents by Edge, alltime');
    const page = await read('/?period=alltime&order_by=points');
    expect(page).toContain('Agents by Points, alltime');
    expect(page).not.toContain('20 rounds.');
  } finally {
    await field.service.stop();
  }
});

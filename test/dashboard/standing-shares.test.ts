import { expect, test } from '@jest/globals';

import { hourOf, MINUTE } from '../../src/rules/hours.ts';
import { predict, registerMany } from '../support/agents.ts';
import { drawnPage } from '../support/drawn-page.ts';
import { currentRound, hourAsking } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

test('a share of correct answers excludes standing predictions, which have their own count', async () => {
  const round = await currentRound(service);
  const players = await registerMany(service, 'player', 10);
  const [first, second] = round.choices;
  const standing = first === 'YES' ? '["YES"]' : JSON.stringify([first, second]);
  for (const [index, player] of players.entries()) {
    if (index < 6) {
      await predict(service, player, { prediction: index < 5 ? first : second, confidence: 60 });
    } else {
      const query = `mutation { setStanding(rows: [{ questionType: ${round.question_type}, prediction: ${standing},
        confidence: 70 }]) { lapsesAt } }`;
      const { body } = await service.request('POST', '/graphql', { body: { query }, key: player.key });
      expect(body.errors).toBeUndefined();
    }
  }
  service.clock.set(new Date(hourOf(service.clock.now()).getTime() + 52 * MINUTE));
  await service.turn();
  await service.nextHour();
  const { body } = await service.request('POST', '/graphql', {
    body: { query: `{ round(id: ${round.id}) { outcome totalEntries crowd { n } entries { standing } } }` },
  });
  const { outcome, totalEntries, crowd } = body.data.round;
  expect({ totalEntries, own: crowd.n }).toEqual({ totalEntries: 10, own: 6 });
  // Of its own answers five of six, or one.
  const share = `${outcome === first ? 83 : outcome === second ? 17 : 0} %`;
  expect((await drawnPage(service, `/rounds/${round.id}`)).text).toContain(
    `${share} of 6 predictions were right, at a mean confidence of 60 %, and 4 by standing answers.`,
  );
  expect((await drawnPage(service, `/rounds/${round.id}`)).text).toContain(
    'Answers 6 predictions, and 4 by standing answers',
  );
  for (const path of ['/', '/rounds']) {
    expect((await drawnPage(service, path)).text).toContain(
      `${share} right of 6 predictions, and 4 by standing answers`,
    );
  }
  const { text } = await drawnPage(service, '/questions');
  expect(text).toContain(` Right ${share} `);
  const later = await hourAsking(
    service,
    ({ id, question_type: type }) => id !== round.id && type === round.question_type,
  );
  service.clock.set(new Date(hourOf(service.clock.now()).getTime() + 52 * MINUTE));
  await service.turn();
  await service.nextHour();
  expect((await drawnPage(service, `/rounds/${later.id}`)).text).toContain('0 predictions, and 4 by standing answers.');
});

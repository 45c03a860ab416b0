import { ASSETS } from '../../../src/rules/assets.ts';
import type { DecidableQuestion } from '../../../src/rules/questions/deciding.ts';
import type { QuestionType } from '../../../src/rules/questions/question.ts';
import { candle, closes, market, params } from './hand-made.ts';
import { describeOutcomes } from './outcome-cases.ts';

const choice = (questionType: QuestionType, assets: DecidableQuestion['assets']): DecidableQuestion => ({
  questionType,
  choices: assets,
  assets,
  params: params({}),
});

describeOutcomes('relative: the higher return wins', choice('relative', ['BTC', 'ETH']), [
  ['both rise', closes({ BTC: '101', ETH: '102' }), 'ETH'],
  ['both fall', closes({ BTC: '99', ETH: '98' }), 'BTC'],
  ['the return decides, not the price', { BTC: { ...candle('101'), open: '50' }, ETH: candle('190') }, 'BTC'],
  ['a tie', closes({ BTC: '101', ETH: '101.00' }), 'void: tie'],
  [
    'returns closer than floats can tell',
    {
      BTC: { open: '3', high: '9', low: '1', close: '1.00000000000000000001' },
      ETH: { open: '6', high: '9', low: '1', close: '2' },
    },
    'BTC',
  ],
  [
    'an exact tie of unequal prices',
    {
      BTC: { open: '3', high: '9', low: '1', close: '1' },
      ETH: { open: '0.6', high: '9', low: '0.1', close: '0.2' },
    },
    'void: tie',
  ],
]);

describeOutcomes('best_performer: the highest of eight returns wins', choice('best_performer', ASSETS), [
  ['one rises most', market({ SOL: '103', DOT: '102' }), 'SOL'],
  [
    'all others fall',
    market({ ETH: '99', SOL: '99', AVAX: '99', DOGE: '99', ADA: '99', LINK: '99', DOT: '99' }),
    'BTC',
  ],
  ['two winners', market({ SOL: '103', DOT: '103' }), 'void: tie'],
  ['a tie below the winner', market({ SOL: '103', DOT: '103', ADA: '104' }), 'ADA'],
]);

describeOutcomes('worst_performer: the lowest of eight returns wins', choice('worst_performer', ASSETS), [
  ['one falls most', market({ SOL: '97', DOT: '98', BTC: '120' }), 'SOL'],
  ['two winners', market({ SOL: '97', DOT: '97' }), 'void: tie'],
  ['a tie above the winner', market({ SOL: '97', DOT: '97', ADA: '96' }), 'ADA'],
]);

describeOutcomes('podium: the highest of four returns wins', choice('podium', ['BTC', 'SOL', 'ADA', 'DOT']), [
  ['an asset outside the four does not count', market({ ADA: '101', ETH: '120' }), 'ADA'],
  ['two winners', market({ ADA: '101', DOT: '101' }), 'void: tie'],
]);

describeOutcomes('volatility: the wider (high - low) / open wins', choice('volatility', ['BTC', 'ETH']), [
  ['ranges differ', { BTC: candle('100', '101', '99'), ETH: candle('100', '102', '99.5') }, 'ETH'],
  ['the close does not matter', { BTC: candle('109', '109', '100'), ETH: candle('100', '105', '95') }, 'ETH'],
  [
    'the range is a share of the open',
    { BTC: candle('100', '101', '99'), ETH: { open: '10', high: '10.5', low: '9.5', close: '10' } },
    'ETH',
  ],
  ['a tie', { BTC: candle('100', '101', '99'), ETH: candle('100', '102', '100') }, 'void: tie'],
]);

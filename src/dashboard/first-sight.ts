import { escaped } from '../http/pages.ts';
import { WAYS } from './addresses.ts';
import { plainQuestion } from './plain-question.ts';
import type { ShownAnswers } from './preview-drawings.ts';

/**
 * What is on the screen of the hour being played before the scripts are there: the question, which is the largest thing to
 * be seen, and all above it. The scripts take these elements over, since the tree that they draw begins with the same
 * ones, so that nothing moves and nothing is drawn twice. Empty where no hour is played.
 */
export function firstSight({ Now, Hello }: ShownAnswers): string {
  const round = Now?.currentRound;
  if (!round) return '';
  const warning = Hello?.health.warning ?? null;
  const ways = WAYS.map(
    ({ href, text }) => `<a href="${href}"${href === '/' ? ' aria-current="page"' : ''}>${text}</a>`,
  );
  return [
    '<a class="skip" href="#main">Skip to the content</a>',
    '<header class="top"><a class="brand" href="/" aria-label="Hourcast, the hour being played">',
    MARK,
    `<span>Hourcast</span></a><nav aria-label="Pages">${ways.join('')}</nav>`,
    '<span class="link connecting" role="status"><i aria-hidden="true"></i>Connecting</span>',
    '<a class="button" href="/join">Join</a></header>',
    warning === null
      ? ''
      : `<aside class="notice" aria-label="About the prices">${NOT_REAL} ${escaped(warning)}</aside>`,
    '<main id="main" tabindex="-1"><div class="now"><section class="hero" aria-labelledby="question">',
    // Lines of their height, which the scripts fill.
    '<p class="eyebrow">&nbsp;</p>',
    `<div class="asking"><h1 id="question">${escaped(plainQuestion(round))}</h1>`,
    '<p class="countdown"><span class="label">&nbsp;</span><span class="digits">&nbsp;</span></p></div>',
    '</section></div></main>',
  ].join('');
}

const MARK =
  '<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><circle cx="16" cy="16" r="12" class="mark-hour"></circle>' +
  '<path d="M16 4a12 12 0 0 1 12 12" class="mark-now"></path><circle cx="16" cy="16" r="2.6" class="mark-dot"></circle></svg>';
const NOT_REAL = '<strong>Not real prices.</strong>';

import { DAY } from '../rules/hours.ts';
import { QUESTION_TYPES, type QuestionType } from '../rules/questions/question.ts';
import type { Data } from './endpoint.ts';
import { listOf } from './shape.ts';

/** Maximum octets per line without its end (RFC 5545, 3.1). */
const LINE_BYTES = 75;

/** Without thresholds, which are set later. */
const TITLES: Readonly<Record<QuestionType, string>> = {
  relative: 'Which gains more?',
  best_performer: 'Which gains the most?',
  worst_performer: 'Which does worst?',
  podium: 'Which gains the most?',
  volatility: 'Which swings more?',
  direction: 'Higher at the end?',
  threshold: 'Past a threshold at the end?',
  touch: 'Does it touch a threshold?',
  magnitude: 'A large move, up or down?',
  range: 'Does it stay within a band?',
  momentum: 'The same way as the hour before?',
  beat_market: 'More than the mean of all eight?',
  breadth: 'How many end higher?',
};

/** iCalendar (RFC 5545), an event per hour. UIDs are stable, so that subscribed calendars update their events. */
export function calendarOf(data: Data): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hourcast//Schedule//EN',
    'CALSCALE:GREGORIAN',
    'X-WR-CALNAME:Hourcast rounds',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...listOf(data['schedule']).flatMap(eventOf),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventOf({ starts_at, ends_at, question_type, assets }: Data): string[] {
  const [startsAt = '', endsAt = ''] = [starts_at, ends_at].map(String);
  const questionType = QUESTION_TYPES.find((type) => type === question_type) ?? 'relative';
  const about = Array.isArray(assets) ? assets.join(', ') : '';
  // An hour's question type is known a week before and never changes.
  const revisedAt = new Date(Date.parse(startsAt) - 7 * DAY).toISOString();
  return [
    'BEGIN:VEVENT',
    `UID:round-${basicTime(startsAt)}@hourcast`,
    `DTSTAMP:${basicTime(revisedAt)}`,
    `DTSTART:${basicTime(startsAt)}`,
    `DTEND:${basicTime(endsAt)}`,
    `SUMMARY:${escaped(`Hourcast: ${TITLES[questionType]} ${about}`)}`,
    `DESCRIPTION:${escaped(`${TITLES[questionType]} An hourly question, decided by the prices of ${about}. A threshold is set when the round is stored.`)}`,
    `CATEGORIES:${escaped(questionType.replaceAll('_', ' '))}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** `20260131T120000Z`, the form for UTC (RFC 5545, 3.3.5). */
function basicTime(iso: string): string {
  return iso.replaceAll(/[-:]|\.\d+/g, '');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`);
}

function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  for (const character of line) {
    if (Buffer.byteLength(current + character) > LINE_BYTES) {
      lines.push(current);
      current = ' ';
    }
    current += character;
  }
  return [...lines, current].join('\r\n');
}

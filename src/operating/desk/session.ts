import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Request, Response } from 'express';

import type { Clock } from '../../clock.ts';
import { HOUR } from '../../rules/hours.ts';

const COOKIE = 'hourcast_operator';
const IN_COOKIES = new RegExp(String.raw`(?:^|; )${COOKIE}=((\d{1,16})\.([0-9a-f]{64}))(?:;|$)`);
/** The duration of a session, in real milliseconds. */
const SIGNED_IN_MS = 12 * HOUR;

export type Sessions = ReturnType<typeof openSessions>;

/**
 * Sessions of the operators' page: a cookie signed with the token. Nothing is stored, so that every process accepts it,
 * and a new ADMIN_TOKEN ends all sessions.
 */
export function openSessions(token: string, clock: Clock) {
  const signed = (what: string): string => createHmac('sha256', token).update(`hourcast desk ${what}`).digest('hex');
  const isSame = (one: string, other: string): boolean =>
    timingSafeEqual(Buffer.from(signed(one)), Buffer.from(signed(other)));
  return {
    /** Null without a session, or after its end. */
    of(request: Request): string | null {
      const [, session = '', until = '', signature = ''] = IN_COOKIES.exec(request.get('cookie') ?? '') ?? [];
      const holds = isSame(signature, signed(until)) && Number(until) > clock.now().getTime();
      return holds ? session : null;
    },
    begin(response: Response): void {
      const until = clock.now().getTime() + Math.round(SIGNED_IN_MS * clock.speed);
      response.cookie(COOKIE, `${until}.${signed(String(until))}`, {
        ...cookieOptions(response),
        maxAge: SIGNED_IN_MS,
      });
    },
    end: (response: Response): void => void response.clearCookie(COOKIE, cookieOptions(response)),
    /** The token in each form of a session, since browsers attach the cookie to requests of other sites too. */
    formToken: (session: string): string => signed(`form ${session}`),
    /** Compares secrets in constant time. */
    isSame,
  };
}

function cookieOptions({ req }: Response) {
  return { path: '/admin', httpOnly: true, sameSite: 'strict', secure: req.secure } as const;
}

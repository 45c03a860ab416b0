import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Request, Response } from 'express';

import type { Clock } from '../../clock.ts';
import { HOUR } from '../../rules/hours.ts';

const COOKIE = 'hourcast_operator';
const IN_COOKIES = new RegExp(String.raw`(?:^|; )${COOKIE}=((\d{1,16})\.([0-9a-f]{64}))(?:;|$)`);
/** How long an operator stays signed in, in real milliseconds. */
const SIGNED_IN_MS = 12 * HOUR;

/**
 * Who is signed in to the operators' page: whoever shows what was signed with the token when it was given. Nothing is stored,
 * so every process knows it, and a new ADMIN_TOKEN ends all of them.
 */
export interface Sessions {
  /** The session of a request; null where there is none, or its time is over. */
  of(request: Request): string | null;
  begin(response: Response): void;
  end(response: Response): void;
  /** What each form of a session has in it: the cookie alone, which a browser sends by itself, changes nothing. */
  formToken(session: string): string;
  /** Whether two secrets are the same, in a time that tells nothing. */
  isSame(one: string, other: string): boolean;
}

export function openSessions(token: string, clock: Clock): Sessions {
  const signed = (what: string): string => createHmac('sha256', token).update(`hourcast desk ${what}`).digest('hex');
  const isSame = (one: string, other: string): boolean =>
    timingSafeEqual(Buffer.from(signed(one)), Buffer.from(signed(other)));
  return {
    of(request) {
      const [, session = '', until = '', signature = ''] = IN_COOKIES.exec(request.get('cookie') ?? '') ?? [];
      const holds = isSame(signature, signed(until)) && Number(until) > clock.now().getTime();
      return holds ? session : null;
    },
    begin(response) {
      const until = clock.now().getTime() + SIGNED_IN_MS * clock.speed;
      response.cookie(COOKIE, `${until}.${signed(String(until))}`, { ...kept(response), maxAge: SIGNED_IN_MS });
    },
    end: (response) => void response.clearCookie(COOKIE, kept(response)),
    formToken: (session) => signed(`form ${session}`),
    isSame,
  };
}

/** Where the cookie is sent, and who can read it. */
function kept({ req }: Response) {
  return { path: '/admin', httpOnly: true, sameSite: 'strict', secure: req.secure } as const;
}

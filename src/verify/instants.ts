import { z } from 'zod';

export const INSTANT = z.iso.datetime().transform((text) => new Date(text));

/** `2026-01-31 12:00:00` or `2026-01-31T12:00:00`, UTC. */
export const SECONDS = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/)
  .transform((text) => new Date(`${text.replace(' ', 'T')}Z`));

import { z } from 'zod';

export const INSTANT = z.iso.datetime().transform((text) => new Date(text));

export const SECONDS = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/)
  .transform((text) => new Date(`${text.replace(' ', 'T')}Z`));

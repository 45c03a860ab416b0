import { FirstSchema } from './2026-11-21-first-schema.ts';

/** Every migration, in order. A landed one is never changed: add another. */
export const MIGRATIONS = [{ name: '2026-11-21-first-schema', class: FirstSchema }];

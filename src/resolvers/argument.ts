import type { PageSize } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';

/** The number itself when it is whole and within the bounds; otherwise a `BAD_REQUEST` that names it. Never clamps. */
export function wholeNumberWithin(name: string, value: number, bounds: { least: number; most: number }): number {
  if (Number.isInteger(value) && value >= bounds.least && value <= bounds.most) return value;
  throw new DomainError(
    'BAD_REQUEST',
    `${name} takes a whole number from ${bounds.least} to ${bounds.most}, not ${value}.`,
  );
}

/** How many rows a list argument asks for. */
export function pageSize(name: string, value: number | null | undefined, size: PageSize): number {
  return wholeNumberWithin(name, value ?? size.usual, { least: 1, most: size.most });
}

import { SECOND } from '../../rules/hours.ts';
import { SourceFailure } from '../source-failure.ts';

/** The body is well-formed JSON but not what was asked for, such as an error inside HTTP 200. */
export function otherForm(): SourceFailure {
  return new SourceFailure('refused', 'It answered something else than what was asked.');
}

export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw otherForm();
  return value;
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw otherForm();
  return { ...value };
}

/** A figure as it stands there; numbers come as text already. Empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whole units since 1970 as ms; NaN for anything else. */
export function timeOf(value: unknown, unitMs: number = SECOND): number {
  const text = textOf(value);
  return /^\d{1,15}$/.test(text) ? Number(text) * unitMs : Number.NaN;
}

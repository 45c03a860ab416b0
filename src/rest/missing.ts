import { DomainError, quoted } from '../rules/errors.ts';
import type { Data } from './endpoint.ts';

/** The 404s of endpoints that show one thing, by their variables. */

export function unknownRound({ round_id }: Data): DomainError {
  return new DomainError('unknown_round', `There is no round ${String(round_id)}.`);
}

export function unknownAgent({ agent_id }: Data): DomainError {
  return new DomainError('unknown_agent', `There is no agent ${String(agent_id)}.`);
}

export function unknownName({ name }: Data): DomainError {
  return new DomainError('unknown_agent', `There is no agent with the name ${quoted(name)}.`);
}

export function unfrozenBoard({ period }: Data): DomainError {
  return new DomainError(
    'unknown_archive',
    `There is no frozen board of ${String(period)}: it is not over, or no round of it was resolved.`,
  );
}

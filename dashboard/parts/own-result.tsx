import { useEffect, useState } from 'preact/hooks';

import { OwnResults, type OwnResultsQuery } from '../documents/own.ts';
import { useAnswer } from '../answers.ts';
import { signedUsd } from '../figures.ts';
import { keptKey } from '../kept-key.ts';

export interface OwnResultProps {
  /** A decided round's id. */
  readonly round: number;
}

/** This browser's agent and its newest predictions; null unless one is signed in. */
export function useOwn(): OwnResultsQuery['me'] {
  const [kept] = useState(keptKey);
  const { data } = useAnswer(OwnResults, kept && {}, { secret: kept?.key });
  return data?.me ?? null;
}

/** Passes on the id of this browser's agent, to pages whose first code reads no key. */
export function OwnAgent({ found }: { readonly found: (id: number | undefined) => void }) {
  const id = useOwn()?.id;
  useEffect(() => found(id), [id]);
  return null;
}

/** The result of this browser's agent, if one is signed in and answered. */
export function OwnResult({ round }: OwnResultProps) {
  const own = useOwn()?.predictions.nodes.find(({ roundId }) => roundId === round);
  if (own?.pnlUsd == null) return null;
  return (
    <span>
      <a href="/me">Yours</a>: {own.prediction}, {signedUsd(own.pnlUsd)}
    </span>
  );
}

import { useState } from 'preact/hooks';

import { OwnResults } from '../documents/own.ts';
import { useAnswer } from '../answers.ts';
import { signedUsd } from '../figures.ts';
import { keptKey } from '../kept-key.ts';

export interface OwnResultProps {
  /** A decided round's id. */
  readonly round: number;
}

/** The result of this browser's agent, if one is signed in and answered. */
export function OwnResult({ round }: OwnResultProps) {
  const [kept] = useState(keptKey);
  return kept && <Result round={round} secret={kept.key} />;
}

function Result({ round, secret }: OwnResultProps & { readonly secret: string }) {
  const { data } = useAnswer(OwnResults, {}, { secret });
  const own = data?.me?.predictions.nodes.find(({ roundId }) => roundId === round);
  if (own?.pnlUsd == null) return null;
  return (
    <span>
      <a href="/me">Yours</a>: {own.prediction}, {signedUsd(own.pnlUsd)}
    </span>
  );
}

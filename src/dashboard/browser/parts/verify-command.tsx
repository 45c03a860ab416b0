import { Copied } from './copied.tsx';

/** How anybody works this round out again. */
export function VerifyCommand({ round }: { readonly round: number }) {
  return (
    <section class="panel" aria-labelledby="verify">
      <h2 id="verify">Verify this round</h2>
      <p>
        All of it can be worked out again from public answers alone: the outcome from the candles, each score from the
        outcome. With the project at hand:
      </p>
      <Copied
        label="Command that verifies this round"
        text={`npm run verify -- --url ${location.origin} --rounds ${round}..${round}`}
      />
    </section>
  );
}

import {
  cosignatureOf,
  parsedCheckpoint,
  type SignBytes,
  signatureLine,
  type Verifier,
} from '../../transparency/notes.ts';
import { contradiction, type Head, verifiedHead } from './log-head.ts';
import { CannotVerify } from '../settings.ts';

/** A witness' name and key. */
export interface Signer {
  readonly verifier: Verifier;
  readonly sign: SignBytes;
}

export interface Answer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly text: string;
  /** The checkpoint to store before the answer is sent; null if there is none. */
  readonly head: Head | null;
  /** A signed checkpoint that is of another tree, or has a wrong proof. */
  readonly doubted: Head | null;
}

const BODY = /^old (0|[1-9]\d{0,15})\n((?:[A-Za-z\d+/]{43}=\n){0,63})\n([^]+)$/;

/** Answers `add-checkpoint` of C2SP tlog-witness. `seen` is the last checkpoint of the log; null: none yet. */
export async function addCheckpoint(
  body: string,
  { seen, signer, now }: { readonly seen: Head | null; readonly signer: Signer; readonly now: Date },
): Promise<Answer> {
  const [, former, lines = '', note = ''] = BODY.exec(body) ?? [];
  const offered = parsedCheckpoint(note);
  if (former === undefined || offered === null)
    return refusal(400, 'The body must be an old size, a proof and a checkpoint.');
  if (offered.origin !== seen?.checkpoint.origin) return refusal(404, `The witness does not follow ${offered.origin}.`);
  const head = headOf(note, seen);
  if (typeof head === 'string') return refusal(403, head);
  const { size } = seen.checkpoint;
  if (Number(former) > offered.size)
    return refusal(400, `The old size must be at most ${offered.size} (got ${former}).`);
  if (Number(former) !== size) return refusal(409, `${size}\n`);
  const proof = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line, 'base64'));
  const fault = await contradiction(seen, head, async () => proof);
  if (fault !== null) {
    const refused = size === offered.size ? refusal(409, `${size}\n`) : refusal(422, fault);
    return { ...refused, doubted: head };
  }
  const { verifier, sign } = signer;
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
  return { status: 200, text: signatureLine(cosignatureOf(verifier, sign, text, now)), head, doubted: null };
}

function headOf(note: string, { keys }: Head): Head | string {
  try {
    return verifiedHead(
      note,
      keys.map(({ publicKey }) => publicKey),
    );
  } catch (error) {
    if (error instanceof CannotVerify) return error.message;
    throw error;
  }
}

function refusal(status: Exclude<Answer['status'], 200>, text: string): Answer {
  return { status, text, head: null, doubted: null };
}

import type { SignedRecord } from './reference.ts';
import { bytesOf, isSigned } from './signatures.ts';

export interface VerifiedRecord extends SignedRecord {
  /** The key that signed it, such as `whpk_...`. */
  readonly signed_by: string;
}

/**
 * Returns the text of a record.json if its service signed it. `key` is the service's key as you know it, such as `whpk_...`;
 * without it the record shows only that the key in it signed all of it. Throws for any other text.
 */
export async function verifyRecord(
  text: string,
  { key }: { readonly key?: string | undefined } = {},
): Promise<VerifiedRecord> {
  const record = recordIn(text);
  const { signatures, ...signed } = record;
  const content = new TextEncoder().encode(canonical(signed));
  for (const { public_key: publicKey, signature } of signatures) {
    if (key !== undefined && key !== publicKey) continue;
    if (await isSigned(bytesOf(publicKey.replace('whpk_', '')), content, bytesOf(signature)))
      return { ...record, signed_by: publicKey };
  }
  const names = signatures.map((one) => one.public_key).join(', ') || 'nobody';
  throw new Error(
    key === undefined
      ? `The record must be as its service signed it (the signature of ${names} does not fit).`
      : `The record must be signed by ${key} (it names ${names}, or was changed).`,
  );
}

function recordIn(text: string): SignedRecord {
  let record: Partial<SignedRecord> | null;
  try {
    record = JSON.parse(text);
  } catch {
    record = null;
  }
  const isRecord = record?.format === 'hourcast record 1' && Array.isArray(record.signatures);
  const areSignatures =
    isRecord &&
    record?.signatures?.every((one) => typeof one?.public_key === 'string' && typeof one.signature === 'string');
  if (!areSignatures) throw new Error('A record must be the JSON of /api/agents/{name}/record.json.');
  return JSON.parse(text);
}

/** JSON with sorted keys and no space. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one !== 'object' || one === null || Array.isArray(one)
      ? one
      : Object.fromEntries(Object.entries(one).toSorted(([left], [right]) => (left < right ? -1 : 1))),
  );
}

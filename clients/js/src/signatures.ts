/** The bytes of base64; none for another text. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (one) => one.toString(16).padStart(2, '0')).join('');
}

/** True if an Ed25519 key of 32 bytes signed the content. */
export async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (key.length !== 32) return false;
  const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', imported, signature, content);
}

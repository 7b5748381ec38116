import { createDecipheriv, createHash, createHmac } from 'node:crypto';
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys';

/** How a file is sealed. */
export interface Seal {
  /** Enters into the keys. */
  readonly kind: MediaType;
  readonly mediaKey: Uint8Array;
  /** The SHA-256 of the open file, if it is to be checked. */
  readonly sha256?: Uint8Array | null;
  /** The longest sealed file that is read, in bytes. */
  readonly maxBytes: number;
}

const macBytes = 10;

/**
 * Opens a sealed file piece by piece, whose last ten bytes are an HMAC of the rest. Throws at the end, before the last
 * piece, if the HMAC or the hash is wrong.
 */
export async function* openSealed(
  body: AsyncIterable<Uint8Array>,
  { kind, mediaKey, sha256, maxBytes }: Seal,
): AsyncGenerator<Buffer> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, kind);
  if (!macKey) throw new Error('a file without a key');
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  const mac = createHmac('sha256', macKey).update(iv);
  const hash = createHash('sha256');
  let held = Buffer.alloc(0);
  let total = 0;
  for await (const piece of body) {
    total += piece.length;
    if (total > maxBytes) throw new Error('the file is too large');
    held = Buffer.concat([held, piece]);
    const sealed = held.subarray(0, Math.max(0, held.length - macBytes));
    held = Buffer.from(held.subarray(sealed.length));
    mac.update(sealed);
    const opened = decipher.update(sealed);
    hash.update(opened);
    yield opened;
  }
  if (!mac.digest().subarray(0, macBytes).equals(held)) throw new Error('the file was changed on its way');
  const last = decipher.final();
  hash.update(last);
  if (sha256 && !hash.digest().equals(sha256)) throw new Error('the file is not the one that was sent');
  yield last;
}

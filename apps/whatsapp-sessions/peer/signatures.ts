import { generateSignalPubKey } from '@whiskeysockets/baileys';
import { verifySignature } from 'libsignal/src/curve.js';

/** Whether the owner of `publicKey` has signed `message`. (`Curve.verify` of Baileys 7.0.0-rc14 says yes to anything.) */
export function isSignedBy(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array | null | undefined,
): boolean {
  if (signature?.length !== 64) return false;
  return verifySignature(Buffer.from(generateSignalPubKey(publicKey)), message, signature);
}

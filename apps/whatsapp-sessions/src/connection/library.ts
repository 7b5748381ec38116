import { Curve, generateSignalPubKey, WA_CERT_DETAILS } from '@whiskeysockets/baileys';
import { verifySignature } from 'libsignal/src/curve.js';

/** The interface of the logger that Baileys uses. */
export interface LibraryLog {
  level: string;
  child(fields: Record<string, unknown>): LibraryLog;
  trace(fields: unknown, message?: string): void;
  debug(fields: unknown, message?: string): void;
  info(fields: unknown, message?: string): void;
  warn(fields: unknown, message?: string): void;
  error(fields: unknown, message?: string): void;
}

/** Discards all lines, because Baileys logs credentials and whole messages. We log the important events ourselves. */
export const noLog: LibraryLog = {
  level: 'silent',
  child: () => noLog,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
};

/**
 * Fixes two dangerous faults of the libraries. Call it once, before the first connection.
 * - `Curve.verify` of Baileys 7.0.0-rc14 accepts everything, so neither the server's certificate nor the phone's
 *   signature would be checked.
 * - libsignal prints sessions with their private keys on the console when it closes them.
 *
 * In tests, `rootKey` replaces WhatsApp's own key.
 */
export function mendLibrary(rootKey: Uint8Array | null): void {
  Object.assign(console, { info: ignore, warn: ignore, error: ignore });
  Object.assign(Curve, { verify: isSignedBy });
  if (rootKey !== null) Object.assign(WA_CERT_DETAILS, { PUBLIC_KEY: Buffer.from(rootKey) });
}

/** Whether the owner of `publicKey` has signed `message`. */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verifySignature(Buffer.from(generateSignalPubKey(publicKey)), message, signature);
  } catch {
    return false;
  }
}

function ignore(): void {
  return undefined;
}

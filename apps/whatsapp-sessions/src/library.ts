import { Curve, generateSignalPubKey, WA_CERT_DETAILS } from '@whiskeysockets/baileys';
import { verifySignature } from 'libsignal/src/curve.js';

/** What Baileys wants to log into. */
export interface LibraryLog {
  level: string;
  child(fields: Record<string, unknown>): LibraryLog;
  trace(fields: unknown, message?: string): void;
  debug(fields: unknown, message?: string): void;
  info(fields: unknown, message?: string): void;
  warn(fields: unknown, message?: string): void;
  error(fields: unknown, message?: string): void;
}

/** Takes all lines and keeps none: Baileys logs credentials and whole messages. What matters is logged by us. */
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
 * Mends what must not be left as it comes; to be called once, before the first connection.
 * - `Curve.verify` of Baileys 7.0.0-rc14 says yes to everything, so neither the server's certificate nor the phone's
 *   signature would be checked.
 * - libsignal prints sessions with their private keys on the console when it closes them.
 *
 * `rootKey` takes the place of WhatsApp's own key, for tests.
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

import bcrypt from 'bcrypt';
import { type Asker, createPasswordQueue, type PasswordQueue } from './password-queue.ts';

/** bcrypt ignores every byte after these. */
export const maxPasswordBytes = 72;

/** Hashes and checks passwords off the main thread. Rejects with `unavailable` if too many passwords are waiting. */
export interface Passwords {
  hash(password: string, asker: Asker): Promise<string>;
  /**
   * Whether the password matches. A null hash (unknown account) and a password that is too long give false after the
   * same time.
   */
  matches(password: string, hash: string | null, asker: Asker): Promise<boolean>;
}

/**
 * Passwords over bcrypt at this cost, in the turns of the queue. Callers check a new password against
 * `maxPasswordBytes` before they hash it.
 */
export async function createPasswords(
  cost: number,
  queue: PasswordQueue = createPasswordQueue(),
): Promise<Passwords> {
  const nobodys = await bcrypt.hash('', cost);
  return {
    hash: (password, asker) => queue.run(asker, () => bcrypt.hash(password, cost)),
    async matches(password, hash, asker) {
      const same = await queue.run(asker, () => bcrypt.compare(password, hash ?? nobodys));
      return same && hash !== null && Buffer.byteLength(password) <= maxPasswordBytes;
    },
  };
}

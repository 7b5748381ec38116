import bcrypt from 'bcrypt';
import { type Asker, createPasswordQueue, type PasswordQueue } from './password-queue.ts';

/** bcrypt looks at no more than this and takes the rest for equal, whatever it is. */
export const maxPasswordBytes = 72;

/** Hashes and checks passwords, off the main thread. Rejects with `unavailable` where too many are waiting for that. */
export interface Passwords {
  hash(password: string, asker: Asker): Promise<string>;
  /** With null for the hash (nobody of that name) it takes the same time and says no; so does one that is too long. */
  matches(password: string, hash: string | null, asker: Asker): Promise<boolean>;
}

/**
 * bcrypt at this cost, in the turns that the queue gives. A new password is checked against `maxPasswordBytes` before it
 * is hashed.
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

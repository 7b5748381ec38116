import bcrypt from 'bcrypt';

/** bcrypt looks at no more than this and takes the rest for equal, whatever it is. */
export const maxPasswordBytes = 72;

/** Hashes and checks passwords, off the main thread. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** With null for the hash (nobody of that name) it takes the same time and says no; so does one that is too long. */
  matches(password: string, hash: string | null): Promise<boolean>;
}

/** bcrypt at this cost. A new password is checked against `maxPasswordBytes` before it is hashed. */
export async function createPasswords(cost: number): Promise<Passwords> {
  const nobodys = await bcrypt.hash('', cost);
  return {
    hash: (password) => bcrypt.hash(password, cost),
    async matches(password, hash) {
      const same = await bcrypt.compare(password, hash ?? nobodys);
      return same && hash !== null && Buffer.byteLength(password) <= maxPasswordBytes;
    },
  };
}

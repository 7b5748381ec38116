import bcrypt from 'bcrypt';

/** Hashes and checks passwords, off the main thread. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** With null for the hash (nobody of that name) it takes the same time and says no. */
  matches(password: string, hash: string | null): Promise<boolean>;
}

/** bcrypt at this cost; callers see to its limit of 72 bytes. */
export async function createPasswords(cost: number): Promise<Passwords> {
  const nobodys = await bcrypt.hash('', cost);
  return {
    hash: (password) => bcrypt.hash(password, cost),
    async matches(password, hash) {
      const same = await bcrypt.compare(password, hash ?? nobodys);
      return same && hash !== null;
    },
  };
}

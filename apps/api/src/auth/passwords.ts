import { type Allowance, createAllowance } from '@notify/runtime';
import bcrypt from 'bcrypt';

/** bcrypt looks at no more than this and takes the rest for equal, whatever it is. */
export const maxPasswordBytes = 72;

/** libuv has four threads, which look names up and read files too; bcrypt may have this many of them. */
const maxJobs = 2;

/** Hashes and checks passwords, off the main thread. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** With null for the hash (nobody of that name) it takes the same time and says no; so does one that is too long. */
  matches(password: string, hash: string | null): Promise<boolean>;
}

/**
 * bcrypt at this cost, as many at once as `jobs` permits; the others wait. A new password is checked against
 * `maxPasswordBytes` before it is hashed.
 */
export async function createPasswords(
  cost: number,
  jobs: Allowance = createAllowance(maxJobs),
): Promise<Passwords> {
  const nobodys = await bcrypt.hash('', cost);
  return {
    hash: (password) => within(jobs, () => bcrypt.hash(password, cost)),
    async matches(password, hash) {
      const same = await within(jobs, () => bcrypt.compare(password, hash ?? nobodys));
      return same && hash !== null && Buffer.byteLength(password) <= maxPasswordBytes;
    },
  };
}

async function within<T>(jobs: Allowance, job: () => Promise<T>): Promise<T> {
  const giveBack = await jobs.take();
  try {
    return await job();
  } finally {
    giveBack();
  }
}

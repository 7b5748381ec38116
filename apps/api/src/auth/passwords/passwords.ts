import bcrypt from 'bcrypt';
import { type Asker, createPasswordQueue, type PasswordQueue } from './password-queue.ts';

/** bcrypt ignores every byte after these. */
export const maxPasswordBytes = 72;

/** Hash and check passwords off the main thread, in the turns of the queue. */
export interface Passwords {
  /** The cost of bcrypt. */
  readonly cost: number;
  /** A hash that no account has. */
  readonly nobodys: string;
  readonly queue: PasswordQueue;
  /** Whether the password has this hash. All that it costs to check a password is in here. */
  readonly compare: (password: string, hash: string) => Promise<boolean>;
}

/** Passwords over bcrypt at this cost. */
export async function createPasswords(
  cost: number,
  queue: PasswordQueue = createPasswordQueue(),
): Promise<Passwords> {
  return { cost, nobodys: await bcrypt.hash('', cost), queue, compare: bcrypt.compare };
}

/**
 * The hash of a new password, which the caller has checked against `maxPasswordBytes`. Rejects with `unavailable` if too many
 * passwords are waiting.
 */
export function hashPassword({ cost, queue }: Passwords, password: string, asker: Asker): Promise<string> {
  return queue.run(asker, () => bcrypt.hash(password, cost));
}

/**
 * Whether the password matches. A null hash (unknown account) and a password that is too long give false after the
 * same time. Rejects with `unavailable` if too many passwords are waiting.
 */
export async function passwordMatches(
  { nobodys, queue, compare }: Passwords,
  password: string,
  hash: string | null,
  asker: Asker,
): Promise<boolean> {
  const same = await queue.run(asker, () => compare(password, hash ?? nobodys));
  return same && hash !== null && Buffer.byteLength(password) <= maxPasswordBytes;
}

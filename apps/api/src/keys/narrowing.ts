import { findAccountIds } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { covers, formatBlock, readBlock } from '@notify/egress';
import { type FieldError, invalidRequest } from '../problems/problem.ts';
import type { Callers } from '../http/route.ts';

/** The last time that our own date-times can write: later years have six digits. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The end of a new credential. Null if none is asked for. Throws a Problem if it is not in the future, or after the year 9999
 * in UTC.
 */
export function readExpiresAt(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const expiresAt = new Date(text);
  if (expiresAt.getTime() > lastTime)
    throw invalidRequest({ at: 'body/expiresAt', message: 'must be before the year 10000 in UTC' });
  if (expiresAt.getTime() > Date.now()) return expiresAt;
  throw invalidRequest({ at: 'body/expiresAt', message: 'must be in the future' });
}

/**
 * The blocks of a new credential, as they are stored. Null if none are asked for. Throws a Problem that names each item that is
 * neither an address nor a block.
 */
export function readAllowedIps(texts: readonly string[] | undefined): string[] | null {
  if (texts === undefined) return null;
  const blocks = texts.map(readBlock);
  const errors = blocks.flatMap((block, index): FieldError[] =>
    block === null
      ? [{ at: `body/allowedIps/${index}`, message: 'must be an IP address or a CIDR block' }]
      : [],
  );
  if (errors.length > 0) throw invalidRequest(...errors);
  return [...new Set(blocks.flatMap((block) => (block === null ? [] : formatBlock(block))))];
}

/**
 * The accounts of a new key or of a filter. Null if none are asked for. Throws a Problem that names each item that is no account
 * of the tenant. `present`: those that stand there already and may have been removed since.
 */
export async function readAccountIds(
  given: readonly string[] | undefined,
  tenantId: string,
  { db }: { db: Db },
  present: readonly string[] = [],
): Promise<string[] | null> {
  if (given === undefined) return null;
  const ids = given.map((id) => id.toLowerCase());
  const known = await findAccountIds(db, tenantId, ids);
  const errors = ids.flatMap((id, index): FieldError[] =>
    known.has(id) || present.includes(id)
      ? []
      : [{ at: `body/channelAccountIds/${index}`, message: 'must be an account of yours' }],
  );
  if (errors.length > 0) throw invalidRequest(...errors);
  return [...new Set(ids)];
}

/** The end and the addresses of a key. */
export interface Reach {
  readonly expiresAt: Date | null;
  readonly allowedIps: readonly string[] | null;
}

/**
 * The reach of a key that a caller makes. One of a service token defaults to the token's own, and must not exceed it:
 * throws a Problem that names the field. `at` is the place of a field in the request.
 */
export function withinCaller(reach: Reach, caller: Callers['bearer'], at: (field: string) => string): Reach {
  if (!caller.isToken) return reach;
  const errors: FieldError[] = [];
  const expiresAt = reach.expiresAt ?? caller.expiresAt;
  if (caller.expiresAt !== null && expiresAt !== null && expiresAt > caller.expiresAt)
    errors.push({
      at: at('expiresAt'),
      message: `expiresAt must not be after that of the service token, ${caller.expiresAt.toISOString()}`,
    });
  const allowedIps = reach.allowedIps ?? caller.allowedIps;
  if (!areWithin(allowedIps, caller.allowedIps))
    errors.push({
      at: at('allowedIps'),
      message: 'allowedIps must be within those of the service token',
    });
  if (errors.length > 0) throw invalidRequest(...errors);
  return { expiresAt, allowedIps };
}

function areWithin(inner: readonly string[] | null, outer: readonly string[] | null): boolean {
  if (outer === null) return true;
  const blocks = outer.flatMap((text) => readBlock(text) ?? []);
  if (inner === null) return false;
  return inner.every((text) => {
    const block = readBlock(text);
    return block !== null && covers(blocks, block);
  });
}

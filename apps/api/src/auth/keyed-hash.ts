import type { JwtSecret } from '@notify/runtime';
import { createHmac } from 'node:crypto';

/**
 * HMAC-SHA256 under a secret of the access tokens. The purpose, followed by a NUL, keeps a hash for one purpose from
 * being accepted for another. Neither can it pass for an access token, because signed tokens contain no NUL.
 */
export function keyedHash(
  { secret }: JwtSecret,
  purpose: 'device of an account' | 'next refresh token',
  text: string,
): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
}

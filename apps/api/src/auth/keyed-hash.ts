import type { JwtSecret } from '@notify/runtime';
import { createHmac } from 'node:crypto';

/**
 * HMAC-SHA256 under a secret of the access tokens. The purpose, with the NUL that ends it, keeps what is made for one
 * purpose from being taken for another, an access token among them: what those sign holds no NUL.
 */
export function keyedHash(
  { secret }: JwtSecret,
  purpose: 'device of an account' | 'next refresh token',
  text: string,
): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
}

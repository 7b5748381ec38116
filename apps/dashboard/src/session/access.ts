import type { AccessToken } from '../api/schema.ts';

/** An access token, and what can be known of it. */
export interface Access {
  readonly token: string;
  /** In ms since 1970, by this machine's clock. */
  readonly expiresAt: number;
  /** Whose it is, as the token says. */
  readonly tenantId: string;
}

/** A token is renewed this long before it ends, in ms. */
const marginMs = 30_000;

/** What the api handed out at `now`, in ms since 1970. */
export function accessOf({ accessToken, expiresIn }: AccessToken, now: number): Access {
  return { token: accessToken, expiresAt: now + expiresIn * 1_000, tenantId: subjectOf(accessToken) };
}

/** Whether it can still be used for a while. */
export function isFresh(access: Access | null, now: number): access is Access {
  return access !== null && access.expiresAt - marginMs > now;
}

/** The `sub` of a JWT (RFC 7519, 4.1.2), unchecked: it only tells tenants apart. */
function subjectOf(token: string): string {
  const payload = token.split('.')[1] ?? '';
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  return String((JSON.parse(text) as { sub?: unknown }).sub);
}

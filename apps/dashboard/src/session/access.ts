import type { AccessToken } from '@notify/sdk';

/** An access token and its known facts. */
export interface Access {
  readonly token: string;
  /** In ms since 1970, by this machine's clock. */
  readonly expiresAt: number;
  /** The tenant, as the token names it. */
  readonly tenantId: string;
}

/** A token is renewed this long before it ends, in ms. */
const marginMs = 30_000;

/** The token that the api returned at `now`, in ms since 1970. */
export function accessOf({ accessToken, expiresIn }: AccessToken, now: number): Access {
  return { token: accessToken, expiresAt: now + expiresIn * 1_000, tenantId: subjectOf(accessToken) };
}

/** Whether the token is valid for a while longer. */
export function isFresh(access: Access | null, now: number): access is Access {
  return access !== null && access.expiresAt - marginMs > now;
}

/** The `sub` of a JWT (RFC 7519, 4.1.2). Not verified, because it only tells tenants apart. */
function subjectOf(token: string): string {
  const payload = token.split('.')[1] ?? '';
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  return String((JSON.parse(text) as { sub?: unknown }).sub);
}

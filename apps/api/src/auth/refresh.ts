import { AccessToken, Refresh } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { refreshSession } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery, type Reply } from '../http/route.ts';
import { accessTokenFor } from './open-session.ts';
import { hashRefreshToken, nextRefreshTokens, refreshCookie, setRefreshCookie } from './refresh-token.ts';
import { requireSameOrigin } from './same-origin.ts';

export const refresh = defineRoute({
  operationId: 'auth.refresh',
  method: 'post',
  path: '/auth/refresh',
  tag: 'Tenant',
  summary: 'Get a new access token',
  description:
    'Takes the refresh token from the cookie, or from the body if there is no cookie. Every refresh replaces the cookie; for 30 s the previous cookie still works and returns the same new one. A token in the body does not change. The first refresh of a session fixes which of the two it uses. Using a replaced token, or the other of the two, ends the session.',
  credential: 'none',
  scope: null,
  params: NoParams,
  query: NoQuery,
  body: Refresh,
  status: 200,
  response: AccessToken,
  problems: ['unauthenticated', 'forbidden'],
  async handle({ body, request, reply }, { db, settings }: { db: Db; settings: Settings }) {
    const cookie = request.cookies()[refreshCookie];
    const byCookie = cookie !== undefined && cookie !== '';
    if (byCookie) requireSameOrigin(request, settings.publicUrl);
    const token = byCookie ? cookie : body.refreshToken;
    if (token === undefined)
      throw new Problem('unauthenticated', { detail: 'The refresh token is missing.' });
    const nextTokens = byCookie ? nextRefreshTokens(token, settings.jwtSecrets) : [];
    const refreshed = await refreshSession(db, {
      tokenHash: hashRefreshToken(token),
      transport: byCookie ? 'cookie' : 'body',
      nextTokenHashes: nextTokens.map(hashRefreshToken),
    });
    switch (refreshed.kind) {
      case 'refused':
        throw new Problem('unauthenticated', { detail: 'The refresh token is invalid.' });
      case 'blocked':
        throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
      case 'refreshed':
        setNext(reply, nextTokens[refreshed.next ?? -1], refreshed.expiresAt, settings);
        return accessTokenFor(refreshed, settings);
    }
  },
});

function setNext(reply: Reply, token: string | undefined, expiresAt: Date, { cookieSecure }: Settings): void {
  if (token !== undefined) reply.cookie(setRefreshCookie(token, cookieSecure, expiresAt));
}

import { ApiError, ConnectionError, Notify } from '@notify/sdk';
import { exitCodes } from '../exit-codes.ts';
import { CommandFailure } from '../failures.ts';
import { unreachable } from '../unreachable.ts';

/** The token without the space around it. Throws if it cannot be one; the message never shows it. */
export function checkedToken(typed: string): string {
  const token = typed.trim();
  const refuse = (message: string): never => {
    throw new CommandFailure(message, { exitCode: exitCodes.refused, hint: whereTokensAre });
  };
  if (token === '') refuse('the token is empty');
  if (token.startsWith('svc_live_')) refuse('this is an API key, and notifyctl needs a service token');
  // A header cannot carry other characters, and the error of fetch would quote the token.
  if (!/^[\x21-\x7e]+$/.test(token)) refuse('the token has characters that no token has');
  return token;
}

/** What to do without a usable token. */
export const whereTokensAre =
  'Make a service token in the dashboard, under Service tokens. It begins with svc_tok_.';

/** The end of a token, by which the dashboard's list tells tokens apart. */
export function endOf(token: string): string {
  return `…${token.slice(-4)}`;
}

/** What kind of credential it is, for people. */
export function kindOf(token: string): string {
  return token.startsWith('svc_tok_') ? 'service token' : 'access token of a session (ends after 15 minutes)';
}

/**
 * Asks the service whether it knows the token. Resolves if it does, whatever its scopes; throws the service's refusal
 * otherwise.
 */
export async function verifyToken(
  { url, token }: { url: string; token: string },
  signal: AbortSignal,
): Promise<void> {
  const client = new Notify({ baseUrl: url, token, maxRetries: 1 });
  try {
    await client.channelAccounts.list({ signal });
  } catch (error) {
    if (error instanceof ConnectionError) throw unreachable(url, error);
    if (!lacksScope(error)) throw error;
  }
}

/** Whether the service knows the token, and the token lacks the scope of the request. */
export function lacksScope(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && /scope/.test(error.detail ?? '');
}

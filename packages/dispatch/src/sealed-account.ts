import type { Adapter } from '@notify/channels';
import { type SealedAccount, settingsPlace } from '@notify/db/accounts';
import { type Log, SecretError, type Secrets } from '@notify/runtime';

/** An account whose settings are still sealed. */
export interface SettingsRow {
  readonly id: string;
  readonly tenantId: string;
  readonly settings: string;
}

/** Decrypts the sealed part of an account. Throws a SecretError if it cannot be decrypted. */
export function openAccount(
  { secrets }: { readonly secrets: Secrets },
  { id, tenantId, settings }: SettingsRow,
): SealedAccount {
  return JSON.parse(secrets.open(settings, settingsPlace(tenantId, id))) as SealedAccount;
}

/** Like `openAccount`, but logs an account that cannot be decrypted and returns null. */
export function openIfReadable(
  { secrets, log }: { readonly secrets: Secrets; readonly log: Log },
  account: SettingsRow,
): SealedAccount | null {
  try {
    return openAccount({ secrets }, account);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    const { id: accountId, tenantId } = account;
    log.tell('account-unreadable', { err: error, accountId, tenantId });
    return null;
  }
}

/**
 * The URL that the provider calls back. Null if the provider has no callbacks, or if there is no public URL.
 */
export function callbackUrlOf(
  { id, capabilities }: Adapter,
  accountId: string,
  secret: string,
  publicUrl: string | null,
): string | null {
  if (publicUrl === null || !capabilities.callbacks) return null;
  return `${callbacksBelow(publicUrl, id, accountId)}${secret}`;
}

/** The callback URL without its secret. */
export function callbacksBelow(publicUrl: string, provider: string, accountId: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/callbacks/${provider}/${accountId}/`;
}

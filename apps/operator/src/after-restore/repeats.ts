import { adapters, unknownPolicy } from '@notify/channels';
import type { UnknownPolicy } from '@notify/core';
import type { DueOfAccount } from '@notify/db/backups';
import { SecretError, type Secrets } from '@notify/runtime';
import { CommandError } from '../command.ts';

/** Due messages of an account, and what its owner chose for messages that may have been sent already. */
export interface Repeats extends DueOfAccount {
  /** Null if the account is gone. Its messages fail anyway. */
  readonly policy: UnknownPolicy | null;
  /** Whether sending again could deliver twice, and the owner chose that it must not. */
  readonly mustNotRepeat: boolean;
}

/** The due messages by account. `fails`: the operator or the owner of the account decided that they are not sent again. */
export interface DueWork extends Pick<
  Repeats,
  'accountId' | 'tenantId' | 'account' | 'tenant' | 'provider' | 'due'
> {
  readonly policy: Repeats['policy'];
  readonly fails: boolean;
}

/**
 * Opens the settings of each account. Throws a CommandError if one does not open: then nobody can tell which messages
 * must not be sent twice.
 */
export function withPolicies(accounts: readonly DueOfAccount[], secrets: Secrets): Repeats[] {
  return accounts.map((one) => {
    const policy = policyOf(one, secrets);
    const isSafe = adapters.get(one.provider ?? '')?.capabilities.repeatIsSafe === true;
    return { ...one, policy, mustNotRepeat: policy === 'at-most-once' && !isSafe };
  });
}

function policyOf(
  { settings: sealed, accountId, tenantId }: DueOfAccount,
  secrets: Secrets,
): UnknownPolicy | null {
  if (sealed === null) return null;
  const place = { tenantId, table: 'channel_accounts', row: accountId, column: 'settings' };
  try {
    const { settings } = JSON.parse(secrets.open(sealed, place)) as { settings: unknown };
    return unknownPolicy(settings);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    throw new CommandError(
      `the settings of the account ${accountId} do not open (${error.message}), so nobody can tell whether its messages may be sent twice: see verify-backup, or use --fail-due`,
    );
  }
}

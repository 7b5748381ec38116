import { baseUrlOf, type SendContext } from '@notify/channels';
import { type SealedAccount, settingsPlace } from '@notify/db/accounts';
import type { UpdateClaim } from '@notify/db/updates';
import { SecretError } from '@notify/runtime';
import type { HeldClaim } from './claim.ts';
import type { UpdatesDeps, UpdatingAdapter } from './deps.ts';

/** An account whose updates are asked for. */
export interface Source {
  readonly adapter: UpdatingAdapter;
  readonly claim: UpdateClaim;
  /** Null if the settings cannot be decrypted. */
  readonly account: SealedAccount | null;
  readonly context: SendContext<unknown>;
  isHeld(): boolean;
}

/** Decrypts the settings of a claimed account. Its calls end with the claim. */
export function openSource(
  adapter: UpdatingAdapter,
  claim: UpdateClaim,
  held: HeldClaim,
  { updatesHttp, providerUrls, secrets, log }: UpdatesDeps,
): Source {
  const account = open(claim, { secrets, log });
  const context = {
    settings: account?.settings,
    http: updatesHttp.of(adapter),
    baseUrl: baseUrlOf(adapter, providerUrls),
    signal: held.signal,
  };
  return { adapter, claim, account, context, isHeld: () => held.isHeld() };
}

function open(
  { accountId, tenantId, settings }: UpdateClaim,
  { secrets, log }: Pick<UpdatesDeps, 'secrets' | 'log'>,
): SealedAccount | null {
  try {
    return JSON.parse(secrets.open(settings, settingsPlace(tenantId, accountId))) as SealedAccount;
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    log.error({ err: error, accountId }, 'account settings cannot be opened');
    return null;
  }
}

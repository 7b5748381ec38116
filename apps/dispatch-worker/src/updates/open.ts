import { baseUrlOf, type SendContext } from '@notify/channels';
import type { SealedAccount } from '@notify/db/accounts';
import type { UpdateClaim } from '@notify/db/updates';
import { openIfReadable } from '@notify/dispatch';
import type { HeldClaim } from './keep-claim.ts';
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
  const account = openIfReadable({ secrets, log }, { ...claim, id: claim.accountId });
  const context = {
    settings: account?.settings,
    http: updatesHttp.of(adapter),
    baseUrl: baseUrlOf(adapter, providerUrls),
    signal: held.signal,
  };
  return { adapter, claim, account, context, isHeld: () => held.isHeld() };
}

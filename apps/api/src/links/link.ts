import { careOf, type WhatsappWebSettings, type Adapter } from '@notify/channels';
import type { AccountLink } from '@notify/contract';
import { type AccountRow, findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { allowedNewContacts, findLink, linkPlace, type LinkRow } from '@notify/db/whatsapp';
import type { Secrets, Log } from '@notify/runtime';
import { adapterOf, openIfReadable, readAccountId } from '../channel-accounts/account.ts';
import { found } from '../problems/found.ts';
import { invalidRequest } from '../problems/problem.ts';

/** What `readLink` needs. */
export interface LinkNeeds {
  readonly db: Db;
  readonly secrets: Secrets;
  readonly log: Log;
}

/**
 * The tenant's account with the id in the path. Throws a Problem if there is none, or if its provider links no phones.
 */
export async function demandLinkable(
  deps: { readonly db: Db; readonly adapters: ReadonlyMap<string, Adapter> },
  tenantId: string,
  id: string,
): Promise<AccountRow> {
  const account = found(await findAccount(deps.db, tenantId, readAccountId(id)));
  if (adapterOf(deps, account.provider).capabilities.linking === true) return account;
  throw invalidRequest({
    at: 'path/id',
    message: `is an account of ${account.provider}, which does not support linking`,
  });
}

/** The state of the account's linking as the API shows it; null if the link has been removed. */
export async function readLink(account: AccountRow, deps: LinkNeeds): Promise<AccountLink | null> {
  const link = await findLink(deps.db, account.tenant_id, account.id);
  if (link === null) return null;
  return { ...stepOf(account, link, deps), wanted: link.wanted, care: await readCare(account, link, deps) };
}

/**
 * The step and the details it needs. Between two QR codes, and after the last has expired, there is nothing to display.
 */
function stepOf(
  { tenant_id: tenantId, id }: AccountRow,
  { step, shown, shownUntil, phone, reason }: LinkRow,
  { secrets }: { secrets: Secrets },
): Omit<AccountLink, 'wanted' | 'care'> {
  switch (step) {
    case 'idle':
      return { step };
    case 'display-qr':
    case 'display-code': {
      if (shown === null || shownUntil === null) return { step: 'idle' };
      const text = secrets.open(shown, linkPlace(tenantId, id));
      return {
        step,
        ...(step === 'display-qr' ? { qr: text } : { code: text }),
        expiresAt: shownUntil.toISOString(),
      };
    }
    case 'connected':
      return { step, ...(phone === null ? {} : { phone: `+${phone}` }) };
    case 'failed':
      return { step, ...(reason === null ? {} : { reason }) };
  }
}

/** Null if the settings cannot be decrypted. */
async function readCare(
  account: AccountRow,
  { newContacts, restrictedUntil }: LinkRow,
  deps: LinkNeeds,
): Promise<AccountLink['care']> {
  const opened = openIfReadable(deps, account);
  if (opened === null) return null;
  const { minIntervalMs, maxIntervalMs, newContactsPerDay, warmUpDays } = careOf(
    opened.settings as WhatsappWebSettings,
  );
  const rules = { perDay: newContactsPerDay, warmUpDays };
  return {
    minIntervalSeconds: minIntervalMs / 1_000,
    maxIntervalSeconds: maxIntervalMs / 1_000,
    newContactsPerDay,
    warmUpDays,
    newContactsAllowed: await allowedNewContacts(deps.db, account.id, rules),
    newContactsUsed: newContacts,
    restrictedUntil: restrictedUntil?.toISOString() ?? null,
  };
}

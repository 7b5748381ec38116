import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';

/** The provider whose accounts are linked devices. */
export const whatsappWeb = 'whatsapp-web';

/** The status detail of a new account until it is linked. */
const unlinkedDetail = 'Link this account: scan its QR code with the phone.';

/** The first state of an account without a device: held, and in the lane of whatsapp-sessions. */
export const unlinked = {
  lane: 'whatsapp-web',
  status: 'action-required',
  status_detail: unlinkedDetail,
  paused_until: sql<Date>`'infinity'`,
  pause_reason: unlinkedDetail,
} as const;

/** Makes the link row of a new account. */
export async function insertLink(trx: Trx, tenantId: string, accountId: string): Promise<void> {
  await trx.insertInto('whatsapp_links').values({ account_id: accountId, tenant_id: tenantId }).execute();
}

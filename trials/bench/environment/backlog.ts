import type { Db } from '@notify/db/connection';
import { type AcceptItem, acceptMessages } from '@notify/db/messages';
import { textItem } from '@notify/testkit';
import type { LoadTenant } from './tenants.ts';

const acceptedAtOnce = 500;

/**
 * Stores `count` waiting messages, spread evenly over these tenants and accepted as bulk, and wakes nothing. They are due at once, or
 * all at `sendAt`.
 */
export async function acceptBacklog(
  db: Db,
  tenants: readonly LoadTenant[],
  count: number,
  sendAt: Date | null = null,
): Promise<void> {
  const each = Math.floor(count / tenants.length);
  for (const tenant of tenants) {
    for (let done = 0; done < each; done += acceptedAtOnce) {
      const items = Array.from({ length: Math.min(acceptedAtOnce, each - done) }, () =>
        itemOf(tenant, sendAt),
      );
      await acceptMessages(db, items, { idempotencyDays: 7, blockExpiredTrials: false });
    }
  }
}

function itemOf({ tenantId, keyId, accountId }: LoadTenant, sendAt: Date | null): AcceptItem {
  return textItem({ tenantId, keyId, accountId }, { bulk: true, sendAt });
}

import type { Db } from '@notify/db/connection';
import { settleDeliveries } from '@notify/db/webhooks';
import type { HttpClient } from '@notify/egress';
import { createAllowance, createLog, type Secrets } from '@notify/runtime';
import { createClaimer } from '../src/claim.ts';
import type { WebhookDeps } from '../src/deps.ts';

/** What a turn needs, over a real database; settlements are committed one by one. */
export function turnDeps(
  given: { readonly db: Db; readonly http: HttpClient; readonly secrets: Secrets },
  changes: Partial<WebhookDeps> = {},
): WebhookDeps {
  const { db } = given;
  const { lane = 'fast' } = changes;
  return {
    ...given,
    log: createLog({ logLevel: 'silent' }, 'test'),
    lane,
    claim: createClaimer(db, lane),
    posts: createAllowance(64),
    settle: (settlement) => settleDeliveries(db, [settlement]),
    othersWait: () => false,
    random: () => 0,
    ...changes,
  };
}

import type { Db } from '@notify/db/connection';
import { settleDeliveries } from '@notify/db/webhooks';
import type { HttpClient } from '@notify/egress';
import { createLog, type Secrets } from '@notify/runtime';
import { takeWholeTurn, type TurnSurroundings } from '@notify/testkit';
import { createClaimer } from '../src/delivery-claimer.ts';
import type { WebhookDeps } from '../src/deps.ts';
import { webhookWork } from '../src/turn.ts';

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
    settle: async (settlement) => void (await settleDeliveries(db, [settlement])),
    random: () => 0,
    ...changes,
  };
}

/** One turn of a webhook. Resolves when everything of it is settled. */
export function webhookTurn(id: string, deps: WebhookDeps, surroundings?: TurnSurroundings): Promise<void> {
  return takeWholeTurn(id, webhookWork(id, deps), surroundings);
}

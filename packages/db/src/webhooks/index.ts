export { claimDeliveries, releaseDeliveries } from './claim-deliveries.ts';
export type { ClaimedDelivery, DeliveryClaimRequest } from './claims.ts';
export { expireDeliveries } from './expire.ts';
export { type DeliveryRow, firstOfPack, listDeliveries } from './log.ts';
export { clearUndeliverable, nextDeliveries, overdueWebhooks } from './next-due.ts';
export { deliveryRequest, type DeliveryRequest } from './request.ts';
export {
  type Redelivery,
  replayBatch,
  replayingWebhooks,
  retryDelivery,
  startReplay,
  testWebhook,
} from './redeliver.ts';
export { mostReplacedSecrets, replaceSecret, rotateSecret, type WebhookSecretPlace } from './secrets.ts';
export { isPlainDelivery, settleDelivered } from './settle-delivered.ts';
export { type DeliveryDecision, type DeliverySettlement, settleDeliveries } from './settle.ts';
export { type WebhookStanding, webhookStandings } from './standing.ts';
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  type Packing,
  type WebhookFilters,
  type WebhookRow,
} from './webhooks.ts';

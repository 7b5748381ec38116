/** Why a message that is `queued` or `sent` is where it is, as codes. */
export const messageStandings = [
  'sends-held',
  'account-paused',
  'account-action-required',
  'account-not-connected',
  'account-removed',
  'account-pace',
  'account-resting',
  'recipient-pace',
  'recipient-opted-out',
  'conversation-slowed',
  'quiet-hours',
  'behind-others',
  'behind-singles',
  'retry',
  'throttled',
  'repeat',
  'awaiting-receipt',
  'scheduled',
  'in-progress',
  'interrupted',
  'due',
  'not-taken',
  'not-waiting',
  'slow-lane',
  'expired',
  'tenant-blocked',
  'sent',
] as const;
export type MessageStanding = (typeof messageStandings)[number];

/** Why a delivery of an event waits, as codes. */
export const deliveryStandings = [
  'posts-held',
  'webhook-failing',
  'webhook-paused',
  'webhook-disabled',
  'webhook-removed',
  'post-retry',
  'posting',
  'post-interrupted',
  'behind-other-deliveries',
  'post-due',
  'post-not-taken',
] as const;
export type DeliveryStanding = (typeof deliveryStandings)[number];

import type { Threshold } from './description.ts';

/** From which value on a panel is red. boards.test.ts compares each with the alert that it names. */
export const thresholds = {
  firingAlerts: { value: 1, alert: null },
  processes: { value: 1, below: true, alert: null },
  oldestMessage: { value: 60, alert: { name: 'NotifyMessagesWaitTooLong', compares: '> 60' } },
  oldestGroup: { value: 60, alert: { name: 'NotifyGroupsWaitTooLong', compares: '> 60' } },
  oldestDelivery: { value: 120, alert: { name: 'NotifyDeliveriesWaitTooLong', compares: '> 120' } },
  /** The objective: 99 % within 5 s. */
  singlesInTime: {
    value: 0.99,
    below: true,
    alert: { name: 'NotifySinglesBurnsSlowly', compares: '> 1 * 0.01' },
  },
  timeToProvider: { value: 5, alert: { name: 'NotifySinglesBurnsFast', compares: 'le=~"5|5.0"' } },
  /** The objective: 99.9 % within 250 ms. */
  acceptsInTime: {
    value: 0.999,
    below: true,
    alert: { name: 'NotifyAcceptsBurnsSlowly', compares: '> 1 * 0.001' },
  },
  acceptTime: { value: 0.25, alert: { name: 'NotifyAcceptsBurnsFast', compares: 'le="0.25"' } },
  unknownOutcomes: { value: 5, alert: { name: 'NotifyUnknownOutcomes', compares: '>= 5' } },
  postsSucceed: {
    value: 0.1,
    below: true,
    alert: { name: 'NotifyWebhooksFailEverywhere', compares: '> 0.9' },
  },
  postsFail: { value: 0.9, alert: { name: 'NotifyWebhooksFailEverywhere', compares: '> 0.9' } },
  callsFail: { value: 0.9, alert: { name: 'NotifyProviderRefusesAll', compares: '> 0.9' } },
  sampleAge: { value: 120, alert: { name: 'NotifySamplerSilent', compares: '< 120' } },
  heartbeatAge: { value: 30, alert: { name: 'NotifyHeartbeatStopped', compares: '> 30' } },
  clockSkew: { value: 2, alert: { name: 'NotifyClockSkewed', compares: '> 2' } },
  eventLoopLag: { value: 0.5, alert: { name: 'NotifyEventLoopLags', compares: '> 0.5' } },
  migrationsPending: { value: 1, alert: { name: 'NotifyMigrationsPending', compares: '> 0' } },
  partitionsAhead: {
    value: 604_800,
    below: true,
    alert: { name: 'NotifyPartitionsRunOut', compares: '< 7 * 86400' },
  },
  defaultRows: { value: 1, alert: { name: 'NotifyPartitionMissing', compares: '> 0' } },
} as const satisfies Readonly<Record<string, Threshold>>;

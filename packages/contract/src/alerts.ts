import Type, { type Static } from 'typebox';
import { uuid } from './fields.ts';

const texts = Type.Record(Type.String(), Type.String());

/** One alert, with the fields of Alertmanager and Grafana that make a text. They and their versions may send further ones. */
export const Alert = Type.Object({
  status: Type.Enum(['firing', 'resolved']),
  labels: Type.Record(Type.String(), Type.String(), {
    examples: [{ alertname: 'DiskFull', instance: 'node1', severity: 'page' }],
  }),
  annotations: Type.Optional(
    Type.Record(Type.String(), Type.String(), { examples: [{ summary: 'Disk is 91% full' }] }),
  ),
  startsAt: Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] }),
  endsAt: Type.Optional(
    Type.String({ description: 'When it ended. Alertmanager sends the year 1 while it is not known.' }),
  ),
  generatorURL: Type.Optional(Type.String({ description: 'The page of what raised the alert.' })),
  fingerprint: Type.String({
    minLength: 1,
    description: 'The same whenever this alert comes again.',
    examples: ['9c66aa3ba1e4ae1d'],
  }),
  dashboardURL: Type.Optional(Type.String({ description: 'Of Grafana.' })),
  panelURL: Type.Optional(Type.String({ description: 'Of Grafana.' })),
});
export type Alert = Static<typeof Alert>;

/** Body of `POST /v1/notify/:channel/alertmanager`. Unknown fields are left alone, because the sender is no program of the tenant's. */
export const AlertGroup = Type.Object(
  {
    groupKey: Type.String({ minLength: 1, description: 'The same whenever this group comes again.' }),
    status: Type.Enum(['firing', 'resolved'], { description: '`firing` while any alert of the group is.' }),
    groupLabels: Type.Optional(texts),
    alerts: Type.Array(Alert, { minItems: 1, maxItems: 1000 }),
    truncatedAlerts: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How many alerts the sender left out (`max_alerts`).' }),
    ),
    externalURL: Type.Optional(Type.String({ description: 'The page of the sender.' })),
  },
  {
    description:
      'What Alertmanager (version 4) and Grafana post to a webhook. Fields that are not listed here have no effect.',
    examples: [
      {
        version: '4',
        groupKey: '{}:{alertname="DiskFull"}',
        status: 'firing',
        receiver: 'notify',
        groupLabels: { alertname: 'DiskFull' },
        alerts: [
          {
            status: 'firing',
            labels: { alertname: 'DiskFull', instance: 'node1', severity: 'page' },
            annotations: { summary: 'Disk is 91% full' },
            startsAt: '2026-01-31T09:30:00.000Z',
            endsAt: '0001-01-01T00:00:00Z',
            generatorURL: 'http://prometheus.example.com/graph',
            fingerprint: '9c66aa3ba1e4ae1d',
          },
        ],
        truncatedAlerts: 0,
        externalURL: 'http://alertmanager.example.com',
      },
    ],
  },
);
export type AlertGroup = Static<typeof AlertGroup>;

/** Query of `POST /v1/notify/:channel/alertmanager`. */
export const AlertsQuery = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description:
          'The recipients, separated by commas. An alert with the label `toLabel` goes to those of the label instead. One of both is required. A number for sms may lack its `+`, which is a space in a URL unless it is written `%2B`.',
        examples: ['+15550001000'],
      }),
    ),
    toLabel: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'The label of the alerts that holds their recipients, separated by commas.',
        examples: ['phone'],
      }),
    ),
    template: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'A template of the account, which is sent instead of the text.',
        examples: ['alert'],
      }),
    ),
    language: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The language of the template. Required if the template has several.',
        examples: ['en'],
      }),
    ),
    repeat: Type.Optional(
      Type.String({
        pattern: '^(?=\\d)(\\d{1,3}w)?(\\d{1,3}d)?(\\d{1,4}h)?(\\d{1,5}m)?(\\d{1,6}s)?$',
        default: '4h',
        description:
          'For how long the same alerts are not sent again: from `1m` to `7d`, as Alertmanager writes durations. It counts from the start of the newest alert, or its end if the group is resolved.',
        examples: ['4h'],
      }),
    ),
    channelAccountId: Type.Optional(
      uuid('The account to send from. Default: the default account of the channel.'),
    ),
    urgent: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to send the message in the quiet hours of its account, too.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AlertsQuery = Static<typeof AlertsQuery>;

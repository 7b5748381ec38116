import { type Board, p50, p99, rate, type Section } from './description.ts';
import { thresholds } from './thresholds.ts';

const webhooks: Section = {
  title: 'Webhooks',
  panels: [
    {
      title: 'Posts by outcome',
      about:
        'Posts each second, by their answer. "blocked" leads to an address that is not allowed. Worry when one kind of failure rises for all.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_webhook_posts_total', 'outcome'), legend: '{{outcome}}' }],
    },
    {
      title: 'Posts that failed',
      about:
        'Share of posts without a 2xx. A few receivers always fail; worry above the dashed line, because then the cause is ours or the network.',
      kind: 'lines',
      unit: 'share',
      width: 8,
      threshold: thresholds.postsFail,
      series: [
        {
          expr: 'sum(rate(notify_webhook_posts_total{outcome!="2xx"}[$__rate_interval])) / sum(rate(notify_webhook_posts_total[$__rate_interval]))',
          legend: 'failed',
        },
      ],
    },
    {
      title: 'Webhooks by state',
      about:
        'All webhooks. A failing one is probed now and then. Worry when many change at once: the network or our side fails.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [{ expr: 'max by (state) (notify_webhooks)', legend: '{{state}}' }],
    },
    {
      title: 'Time from event to post',
      about:
        'Time from an event to the end of its first post, by lane. Worry when p99 of the fast lane takes minutes.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      series: [
        { expr: p99('notify_event_to_post_seconds', 'lane'), legend: 'p99 {{lane}}' },
        { expr: p50('notify_event_to_post_seconds', 'lane'), legend: 'p50 {{lane}}' },
      ],
    },
    {
      title: 'Time of posts',
      about:
        'How long receivers take to answer (p99), by outcome. A slow receiver moves to the slow lane. Worry when 2xx gets slow for all.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      series: [{ expr: p99('notify_webhook_post_duration_seconds', 'outcome'), legend: '{{outcome}}' }],
    },
    {
      title: 'Oldest due delivery',
      about: 'How long the oldest event that could be posted now has waited. Worry above the dashed line.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      threshold: thresholds.oldestDelivery,
      series: [{ expr: 'max by (lane) (notify_due_oldest_seconds{kind="deliveries"})', legend: '{{lane}}' }],
    },
  ],
};

const providers: Section = {
  title: 'Providers',
  panels: [
    {
      title: 'Calls by provider',
      about: 'Calls each second. Worry when one provider falls to 0 while messages for it are due.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_provider_calls_total', 'provider'), legend: '{{provider}}' }],
    },
    {
      title: 'Calls by outcome',
      about:
        'Calls each second. "retry" is tried again, "rejected" fails its message, "unknown" may have been sent. Worry when another outcome than "accepted" rises.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_provider_calls_total', 'outcome'), legend: '{{outcome}}' }],
    },
    {
      title: 'Calls that were not accepted',
      about:
        'Share of calls with another outcome than "accepted". Worry when one provider passes the dashed line.',
      kind: 'lines',
      unit: 'share',
      width: 8,
      threshold: thresholds.callsFail,
      series: [
        {
          expr: '1 - sum by (provider) (rate(notify_provider_calls_total{outcome="accepted"}[$__rate_interval])) / sum by (provider) (rate(notify_provider_calls_total[$__rate_interval]))',
          legend: '{{provider}}',
        },
      ],
    },
    {
      title: 'Time of calls',
      about:
        'How long providers take to answer (p99). A slow account moves to the slow lane. Worry when it nears 30 s.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      series: [{ expr: p99('notify_provider_call_duration_seconds', 'provider'), legend: '{{provider}}' }],
    },
    {
      title: 'Paused accounts',
      about:
        'Accounts that are paused after failures or because the provider asked to wait. Worry when all accounts of a provider are paused at once.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [{ expr: 'max by (provider) (notify_accounts_paused)', legend: '{{provider}}' }],
    },
    {
      title: 'Accounts by status',
      about: 'All accounts. Worry when "action-required" or "disconnected" rises: their tenants must act.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [
        { expr: 'sum by (status) (max by (provider, status) (notify_accounts))', legend: '{{status}}' },
      ],
    },
  ],
};

const devices: Section = {
  title: 'Linked WhatsApp devices',
  panels: [
    {
      title: 'Devices by state',
      about: 'Linked devices in all processes. Worry when "connected" falls and "waiting" rises.',
      kind: 'lines',
      unit: 'count',
      width: 6,
      series: [{ expr: 'sum by (state) (notify_linked_devices)', legend: '{{state}}' }],
    },
    {
      title: 'Ended connections by code',
      about:
        'Connections that WhatsApp ended, each second, by its code. Worry about 405: our version is retired, and no device connects any more.',
      kind: 'lines',
      unit: 'perSecond',
      width: 6,
      series: [{ expr: rate('notify_device_closes_total', 'code'), legend: '{{code}}' }],
    },
    {
      title: 'Partitions held',
      about:
        'Partitions of devices that each process holds. Worry when their sum is lower than WHATSAPP_PARTITIONS: some devices run nowhere.',
      kind: 'lines',
      unit: 'count',
      width: 6,
      series: [{ expr: 'sum by (instance) (notify_device_partitions_leased)', legend: '{{instance}}' }],
    },
    {
      title: 'Partitions taken',
      about:
        'Partitions that processes took, each second. "taken-over" means that a process has ended or hangs. Worry when it does not stop.',
      kind: 'lines',
      unit: 'perSecond',
      width: 6,
      series: [{ expr: rate('notify_device_partition_leases_total', 'reason'), legend: '{{reason}}' }],
    },
  ],
};

/** The two sides that are not ours: receivers of events, and providers. */
export const webhooksAndProviders: Board = {
  name: 'webhooks-and-providers',
  title: 'Notify: webhooks and providers',
  about:
    'Does the other side answer? Receivers of events first, then providers, then linked WhatsApp devices.',
  byProcess: false,
  sections: [webhooks, providers, devices],
};

import { p50, rate, type Section } from './description.ts';

/** What became of messages: the last part of their way. */
export const results: Section = {
  title: 'Results: what became of messages',
  panels: [
    {
      title: 'Messages by status',
      about: 'Messages that reached a status, each second. Worry when "failed" rises.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_messages_total', 'status'), legend: '{{status}}' }],
    },
    {
      title: 'Failures by error code',
      about:
        'Messages that failed, each second, by error code. docs/errors.md explains the codes. Worry about one that is new.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_message_failures_total', 'error_code'), legend: '{{error_code}}' }],
    },
    {
      title: 'Time to delivery',
      about:
        'Time from the 202 to the delivery receipt (p50), by provider. Phones that are off make it long; worry when it rises for all.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      series: [{ expr: p50('notify_time_to_delivered_seconds', 'provider'), legend: '{{provider}}' }],
    },
    {
      title: 'Delivery receipts',
      about:
        'Receipts each second. "early" came before its message was settled. Worry when "orphaned" rises: receipts fit no message.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_receipts_total', 'result'), legend: '{{result}}' }],
    },
    {
      title: 'Unknown outcomes and repeated sends',
      about:
        'Attempts of which nobody knows the outcome, and the sends after them that may be duplicates, each second. Worry when it is not 0 for minutes.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [
        { expr: rate('notify_unknown_outcomes_total'), legend: 'unknown' },
        { expr: rate('notify_repeated_sends_total'), legend: 'repeated' },
      ],
    },
    {
      title: 'Receipts that wait',
      about:
        'Receipts that found no message yet. Worry when it only grows: an account reports what we never sent.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [{ expr: 'max(notify_receipts_waiting)', legend: 'waiting' }],
    },
  ],
};

/** What people write: the other direction. */
export const inbound: Section = {
  title: 'Incoming messages',
  panels: [
    {
      title: 'Stored',
      about:
        'What people wrote, each second, by kind. Worry when it falls to 0 at a busy hour: callbacks do not reach us.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_inbound_total', 'kind'), legend: '{{kind}}' }],
    },
    {
      title: 'Stored, by provider',
      about: 'What people wrote, each second. Worry when one provider falls silent alone.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_inbound_total', 'provider'), legend: '{{provider}}' }],
    },
    {
      title: 'Callbacks',
      about:
        'Callbacks of providers each second. Worry when "failed" rises: providers repeat them for a limited time. "refused" are forged or unreadable.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [
        { expr: rate('notify_callbacks_total', 'provider, result'), legend: '{{provider}} {{result}}' },
      ],
    },
  ],
};

import { type Board, p50, p99, rate, type Section, sends } from './description.ts';
import { inbound, results } from './message-results.ts';
import { thresholds } from './thresholds.ts';

const accept: Section = {
  title: 'Accept: from the request to the 202',
  panels: [
    {
      title: 'Requests by status',
      about:
        'Requests to the api each second, by status. Worry when 5xx appear; 503 means that Postgres is away.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_http_requests_total', 'status'), legend: '{{status}}' }],
    },
    {
      title: 'Time of sends',
      about:
        'Time from the head of a send to the end of its answer. The objective is 99.9 % under 250 ms, the dashed line; worry when p99 passes it.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      threshold: thresholds.acceptTime,
      series: [
        {
          expr: p99('notify_http_request_duration_seconds', null, `{${sends}}`),
          legend: 'p99',
        },
        {
          expr: p50('notify_http_request_duration_seconds', null, `{${sends}}`),
          legend: 'p50',
        },
      ],
    },
    {
      title: 'Messages by result',
      about:
        'Messages that clients sent, each second. "repeated" had a key that was known. Worry when "refused" rises: a client sends what we do not take.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_accept_messages_total', 'result'), legend: '{{result}}' }],
    },
    {
      title: 'Commits of accepts',
      about: 'Time of one group commit. Worry when p99 nears 0.1 s: the disk of Postgres is slow or busy.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      series: [
        { expr: p99('notify_accept_commit_duration_seconds'), legend: 'p99' },
        { expr: p50('notify_accept_commit_duration_seconds'), legend: 'p50' },
      ],
    },
    {
      title: 'Messages in one commit',
      about:
        'The size of group commits. It grows with the load, which is right; worry only with slow commits.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [
        { expr: p99('notify_accept_batch_messages'), legend: 'p99' },
        { expr: p50('notify_accept_batch_messages'), legend: 'p50' },
      ],
    },
    {
      title: 'Refused by rate limits',
      about: 'Requests answered with 429, each second. Worry when a tenant complains: its limit is too low.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_http_rate_limited_total', 'credential'), legend: '{{credential}}' }],
    },
  ],
};

const due: Section = {
  title: 'Due: what waits for a turn',
  panels: [
    {
      title: 'Oldest due message',
      about: 'How long the oldest due message has been due, by lane. Worry above the dashed line.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      threshold: thresholds.oldestMessage,
      series: [{ expr: 'max by (lane) (notify_due_oldest_seconds{kind="messages"})', legend: '{{lane}}' }],
    },
    {
      title: 'Due messages',
      about:
        'Messages that could be sent now. Their number says little alone: worry when the oldest gets older too.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [{ expr: 'max by (lane) (notify_due{kind="messages"})', legend: '{{lane}}' }],
    },
    {
      title: 'Waiting messages',
      about:
        'Everything that is not settled: due, planned for later, between two attempts, or behind a pause. Worry when it only grows.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [{ expr: 'max by (kind) (notify_waiting)', legend: '{{kind}}' }],
    },
    {
      title: 'Wakes',
      about:
        'Turns that were asked for, each second. Worry when "failed" rises: the queue is away, and the sweepers find the work seconds later.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_wakes_total', 'kind, result'), legend: '{{kind}} {{result}}' }],
    },
    {
      title: 'Turns by end',
      about:
        'Turns that ended, each second. "empty" found nothing due. Worry when "failed" rises, or when there are none while messages are due.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_turns_total', 'kind, end'), legend: '{{kind}} {{end}}' }],
    },
    {
      title: 'Turn slots in use',
      about:
        'Share of the slots for turns that are in use, by lane. Worry at 100 % for minutes: add workers.',
      kind: 'lines',
      unit: 'share',
      width: 8,
      series: [
        {
          expr: 'sum by (kind, lane) (notify_turns_running) / sum by (kind, lane) (notify_turn_slots)',
          legend: '{{kind}} {{lane}}',
        },
      ],
    },
    {
      title: 'Oldest due group check',
      about:
        'How long the oldest due group check has been due. Worry above the dashed line: next routes begin late.',
      kind: 'lines',
      unit: 'seconds',
      width: 12,
      threshold: thresholds.oldestGroup,
      series: [{ expr: 'max(notify_due_oldest_seconds{kind="groups"})', legend: 'oldest' }],
    },
    {
      title: 'Failed group checks',
      about:
        'Group checks that failed, each second. Each comes again after 5 s. Worry when it stays above 0.',
      kind: 'lines',
      unit: 'perSecond',
      width: 12,
      series: [{ expr: rate('notify_group_looks_failed_total', 'instance'), legend: '{{instance}}' }],
    },
  ],
};

const send: Section = {
  title: 'Send: claim, call, settle',
  panels: [
    {
      title: 'Time to the provider',
      about:
        'Time from the 202 to the acceptance of the provider (p99). Bulk messages wait for their pace. Worry when single ones pass the dashed line.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      threshold: thresholds.timeToProvider,
      series: [{ expr: p99('notify_time_to_provider_seconds', 'size'), legend: '{{size}}' }],
    },
    {
      title: 'Permits in use',
      about:
        'Share of the permits for calls that are in use. Worry at 100 %: turns wait for slow providers, and the next panel says how many.',
      kind: 'lines',
      unit: 'share',
      width: 8,
      series: [
        {
          expr: 'sum by (kind, lane, of) (notify_permits_in_use) / sum by (kind, lane, of) (notify_permits)',
          legend: '{{kind}} {{lane}} {{of}}',
        },
      ],
    },
    {
      title: 'Turns that wait for permits',
      about: 'Turns that have work and no permit. Worry when it stays above 0: add dispatch workers.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [
        { expr: 'sum by (kind, lane, of) (notify_permits_waiting)', legend: '{{kind}} {{lane}} {{of}}' },
      ],
    },
    {
      title: 'Claims',
      about:
        'Messages and deliveries that turns leased, each second. Worry when a kind falls to 0 while its work is due.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_claimed_total', 'kind, lane'), legend: '{{kind}} {{lane}}' }],
    },
    {
      title: 'Time of claims and settlements',
      about: 'Time of one statement that claims, and of one commit that settles (p99). Worry above 0.1 s.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      series: [
        { expr: p99('notify_claim_duration_seconds', 'kind'), legend: 'claim {{kind}}' },
        { expr: p99('notify_settlement_duration_seconds', 'kind'), legend: 'settle {{kind}}' },
      ],
    },
    {
      title: 'Failed settlements, lost leases',
      about:
        'Commits of outcomes that failed and are tried again, and settlements that came after the end of their lease, each second. Worry when it is not 0 for minutes.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [
        {
          expr: 'sum by (kind) (rate(notify_settlement_batches_total{result="failed"}[$__rate_interval]))',
          legend: 'failed {{kind}}',
        },
        { expr: rate('notify_leases_lost_total', 'kind'), legend: 'lost {{kind}}' },
      ],
    },
    {
      title: 'Time of turns',
      about:
        'How long turns last (p99), by kind and lane. A turn goes on while its account has work. Worry when the fast lane nears 30 s: turns hold their slots.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      series: [{ expr: p99('notify_turn_duration_seconds', 'kind, lane'), legend: '{{kind}} {{lane}}' }],
    },
    {
      title: 'Settled attempts',
      about:
        'Attempts whose end is committed, each second. Worry when it stays below the claims for minutes.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [{ expr: rate('notify_settled_total', 'kind'), legend: '{{kind}}' }],
    },
    {
      title: 'Settlements waiting',
      about:
        'Calls and posts whose outcome is not stored yet. Worry when it grows: do not restart the workers, because they alone know these outcomes.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [{ expr: 'sum by (kind) (notify_settlements_waiting)', legend: '{{kind}}' }],
    },
  ],
};

/** A message from its request to its receipt, and what people write back. */
export const messages: Board = {
  name: 'messages',
  title: 'Notify: messages',
  about: 'The way of a message from top to bottom: accept, due, send, result. Incoming messages are below.',
  byProcess: false,
  sections: [accept, due, send, results, inbound],
};

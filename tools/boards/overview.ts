import { type Board, p50, p99, rate, sends } from './description.ts';
import { thresholds } from './thresholds.ts';

/** Do messages go out, on time? Do webhooks? Which process or store is in trouble? */
export const overview: Board = {
  name: 'overview',
  title: 'Notify: overview',
  about:
    'Start here. The numbers on top say within seconds whether messages and webhooks go out, and on time. A red one leads to the board with the details.',
  byProcess: false,
  sections: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Firing alerts',
          about: 'Alerts that fire now. Worry when it is not 0, and read their section in docs/runbook.md.',
          kind: 'number',
          unit: 'count',
          width: 4,
          threshold: thresholds.firingAlerts,
          series: [
            {
              expr: 'count(ALERTS{alertname=~"Notify.*", alertstate="firing"}) or vector(0)',
              legend: 'firing',
            },
          ],
        },
        {
          title: 'Oldest due message',
          about:
            'How long the oldest message that could be sent now has waited, in the fast lane. Worry when it is red or grows: messages come late.',
          kind: 'number',
          unit: 'seconds',
          width: 4,
          threshold: thresholds.oldestMessage,
          series: [
            { expr: 'max(notify_due_oldest_seconds{kind="messages", lane="fast"})', legend: 'oldest' },
          ],
        },
        {
          title: 'Oldest due webhook delivery',
          about:
            'How long the oldest event that could be posted now has waited, in the fast lane. Worry when it is red or grows: webhooks come late.',
          kind: 'number',
          unit: 'seconds',
          width: 4,
          threshold: thresholds.oldestDelivery,
          series: [
            { expr: 'max(notify_due_oldest_seconds{kind="deliveries", lane="fast"})', legend: 'oldest' },
          ],
        },
        {
          title: 'Single messages at the provider in time',
          about:
            'Share of single messages of the last 5 minutes that a provider accepted within 5 s of the 202. The objective is 99 %; worry when it stays below.',
          kind: 'number',
          unit: 'share',
          width: 4,
          threshold: thresholds.singlesInTime,
          series: [
            {
              expr: 'sum(rate(notify_time_to_provider_seconds_bucket{size="single", le=~"5|5.0"}[5m])) / sum(rate(notify_time_to_provider_seconds_count{size="single"}[5m]))',
              legend: 'in time',
            },
          ],
        },
        {
          title: 'Posts that succeeded',
          about:
            'Share of posts to webhooks in the last 5 minutes that were answered with 2xx. Some receivers always fail; worry when it falls at once, because then our side is the cause.',
          kind: 'number',
          unit: 'share',
          width: 4,
          threshold: thresholds.postsSucceed,
          series: [
            {
              expr: 'sum(rate(notify_webhook_posts_total{outcome="2xx"}[5m])) / sum(rate(notify_webhook_posts_total[5m]))',
              legend: 'succeeded',
            },
          ],
        },
        {
          title: 'Age of the sampled values',
          about:
            'How old the values are that one process reads from the database: ages, numbers due, accounts, partitions. Worry when it is red: those panels then show the past.',
          kind: 'number',
          unit: 'seconds',
          width: 4,
          threshold: thresholds.sampleAge,
          series: [{ expr: 'min(notify_sample_age_seconds)', legend: 'age' }],
        },
        {
          title: 'Accepted messages',
          about:
            'Messages that the api answered with 202, each second. Worry when it falls to 0 at a busy hour.',
          kind: 'number',
          unit: 'perSecond',
          width: 4,
          series: [
            {
              expr: 'sum(rate(notify_accept_messages_total{result="accepted"}[5m]))',
              legend: 'accepted',
            },
          ],
        },
        {
          title: 'Messages at the provider',
          about:
            'Messages that providers accepted, each second. Worry when it stays below the number of accepted messages.',
          kind: 'number',
          unit: 'perSecond',
          width: 4,
          series: [{ expr: 'sum(rate(notify_messages_total{status="sent"}[5m]))', legend: 'sent' }],
        },
        {
          title: 'Failed messages',
          about:
            'Messages that ended as failed, each second. Worry when it rises above its usual level; the messages board shows the error codes.',
          kind: 'number',
          unit: 'perSecond',
          width: 4,
          series: [{ expr: 'sum(rate(notify_messages_total{status="failed"}[5m]))', legend: 'failed' }],
        },
        {
          title: 'Sends answered in time',
          about:
            'Share of the sends of the last 5 minutes that the api answered within 250 ms. The objective is 99.9 %; worry when it stays below.',
          kind: 'number',
          unit: 'share',
          width: 4,
          threshold: thresholds.acceptsInTime,
          series: [
            {
              expr: `sum(rate(notify_http_request_duration_seconds_bucket{${sends}, class="2xx", le="0.25"}[5m])) / sum(rate(notify_http_request_duration_seconds_count{${sends}, class=~"2xx|5xx|aborted"}[5m]))`,
              legend: 'in time',
            },
          ],
        },
        {
          title: 'Unknown outcomes, 10 minutes',
          about:
            'Attempts of the last 10 minutes of which nobody knows whether the provider took the message, at the worst provider. Worry when it is red: recipients may get a message twice.',
          kind: 'number',
          unit: 'count',
          width: 4,
          threshold: thresholds.unknownOutcomes,
          series: [
            {
              expr: 'max(sum by (provider) (increase(notify_unknown_outcomes_total[10m])))',
              legend: 'unknown',
            },
          ],
        },
        {
          title: 'Processes',
          about:
            'Processes that Prometheus can read. Worry when it is lower than the number that you run; the graph below says which kind is missing.',
          kind: 'number',
          unit: 'count',
          width: 4,
          threshold: thresholds.processes,
          series: [{ expr: 'count(notify_build_info) or vector(0)', legend: 'processes' }],
        },
        {
          title: 'Which alerts fire',
          about:
            'The firing alerts by name. An empty table is good news; worry about every line that is critical.',
          kind: 'table',
          unit: 'count',
          width: 24,
          series: [{ expr: 'ALERTS{alertname=~"Notify.*", alertstate="firing"}', legend: '' }],
        },
      ],
    },
    {
      title: 'Messages',
      panels: [
        {
          title: 'Accepted, sent, delivered, failed',
          about:
            'Messages each second, at each step of their way. Worry when "sent" stays below "accepted": a backlog builds up.',
          kind: 'lines',
          unit: 'perSecond',
          width: 8,
          series: [
            {
              expr: 'sum(rate(notify_accept_messages_total{result="accepted"}[$__rate_interval]))',
              legend: 'accepted',
            },
            { expr: rate('notify_messages_total', 'status'), legend: '{{status}}' },
          ],
        },
        {
          title: 'Time to the provider',
          about:
            'Time from the 202 to the acceptance of the provider, for single messages. Worry when p99 stays above the dashed line.',
          kind: 'lines',
          unit: 'seconds',
          width: 8,
          threshold: thresholds.timeToProvider,
          series: [
            { expr: p99('notify_time_to_provider_seconds', null, '{size="single"}'), legend: 'p99' },
            { expr: p50('notify_time_to_provider_seconds', null, '{size="single"}'), legend: 'p50' },
          ],
        },
        {
          title: 'Oldest due, by lane',
          about:
            'How long the oldest message and the oldest delivery have been due. The slow lane holds accounts and webhooks that answer slowly or fail. Worry when messages in the fast lane pass the dashed line.',
          kind: 'lines',
          unit: 'seconds',
          width: 8,
          threshold: thresholds.oldestMessage,
          series: [{ expr: 'max by (kind, lane) (notify_due_oldest_seconds)', legend: '{{kind}} {{lane}}' }],
        },
      ],
    },
    {
      title: 'Webhooks and providers',
      panels: [
        {
          title: 'Posts by outcome',
          about:
            'Posts to webhooks each second, by their answer. Worry when one kind of failure rises for all: the network or our side fails.',
          kind: 'lines',
          unit: 'perSecond',
          width: 8,
          series: [{ expr: rate('notify_webhook_posts_total', 'outcome'), legend: '{{outcome}}' }],
        },
        {
          title: 'Time from event to post',
          about:
            'Time from an event to the end of its first post (p99), by lane. Worry when the fast lane takes minutes.',
          kind: 'lines',
          unit: 'seconds',
          width: 8,
          series: [{ expr: p99('notify_event_to_post_seconds', 'lane'), legend: '{{lane}}' }],
        },
        {
          title: 'Provider calls by outcome',
          about:
            'Calls to providers each second, by outcome. Worry when another outcome than "accepted" rises; the board of providers says at which one.',
          kind: 'lines',
          unit: 'perSecond',
          width: 8,
          series: [{ expr: rate('notify_provider_calls_total', 'outcome'), legend: '{{outcome}}' }],
        },
      ],
    },
    {
      title: 'Processes and stores',
      panels: [
        {
          title: 'Processes by kind',
          about: 'Processes that Prometheus can read. Worry when a kind has fewer than you run, or none.',
          kind: 'lines',
          unit: 'count',
          width: 6,
          series: [{ expr: 'count by (process) (notify_build_info)', legend: '{{process}}' }],
        },
        {
          title: 'Postgres: failed statements',
          about:
            'Statements that failed each second, by class. "conflict" is normal under load; worry about "away" and "busy".',
          kind: 'lines',
          unit: 'perSecond',
          width: 6,
          series: [{ expr: rate('notify_db_statement_errors_total', 'class'), legend: '{{class}}' }],
        },
        {
          title: 'Queue: processes without it',
          about:
            'Connections to Redis (or to the queue in Postgres) that are lost. Worry when it is not 0: turns wait for the sweepers.',
          kind: 'lines',
          unit: 'count',
          width: 6,
          series: [
            {
              expr: 'count by (role) (notify_queue_connected) - sum by (role) (notify_queue_connected)',
              legend: '{{role}}',
            },
          ],
        },
        {
          title: 'Event-loop lag',
          about:
            'How late timers of the slowest process of each kind run (p99 since the last scrape). Worry above the dashed line: the process has more work than its core can do.',
          kind: 'lines',
          unit: 'seconds',
          width: 6,
          threshold: thresholds.eventLoopLag,
          series: [
            {
              expr: 'max by (process) (nodejs_eventloop_lag_p99_seconds * on (instance) group_left (process) notify_build_info)',
              legend: '{{process}}',
            },
          ],
        },
      ],
    },
  ],
};

import { type Board, chosen, ofChosen, type Section } from './description.ts';
import { thresholds } from './thresholds.ts';

const rateOf = (counter: string) => (selector: string) => `rate(${counter}${selector}[$__rate_interval])`;
const p99Of = (histogram: string, by: string) =>
  `histogram_quantile(0.99, sum by (le, ${by}) (rate(${histogram}_bucket{instance=~"$instance"}[$__rate_interval])))`;

const which: Section = {
  title: 'Which processes run',
  panels: [
    {
      title: 'Processes',
      about:
        'Every process that Prometheus can read, with its version. Worry when versions differ long after an update.',
      kind: 'table',
      unit: 'count',
      width: 12,
      series: [{ expr: 'notify_build_info{process=~"$process", instance=~"$instance"}', legend: '' }],
    },
    {
      title: 'Alive by their heartbeats',
      about:
        'Processes that the database has heard of within 15 s. Worry when it differs from what Prometheus reads: a process hangs, or is not scraped.',
      kind: 'lines',
      unit: 'count',
      width: 12,
      series: [{ expr: 'max by (process) (notify_processes)', legend: '{{process}}' }],
    },
    {
      title: 'Uptime',
      about:
        'Time since each process started. Worry when it begins at 0 again and again: the process crashes.',
      kind: 'lines',
      unit: 'duration',
      width: 8,
      series: [
        {
          expr: `(time() - process_start_time_seconds{instance=~"$instance"}) * on (instance) group_left (process) notify_build_info`,
          legend: chosen,
        },
      ],
    },
    {
      title: 'Age of the heartbeat',
      about:
        'Time since each process stored its heartbeat, which it does every 5 s. Worry above the dashed line: the others count the process as ended.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      threshold: thresholds.heartbeatAge,
      series: [{ expr: ofChosen((selector) => `notify_heartbeat_age_seconds${selector}`), legend: chosen }],
    },
    {
      title: 'Clock skew',
      about:
        "How far the clock of each process is from the database's. Worry when it is above the dashed line: signatures and times in the log are wrong.",
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      threshold: thresholds.clockSkew,
      series: [{ expr: ofChosen((selector) => `abs(notify_clock_skew_seconds${selector})`), legend: chosen }],
    },
  ],
};

const work: Section = {
  title: 'How busy they are',
  panels: [
    {
      title: 'CPU',
      about:
        'CPU seconds each second; a process can use little more than 1. Worry when it stays above 0.9: run one more.',
      kind: 'lines',
      unit: 'share',
      width: 8,
      series: [{ expr: ofChosen(rateOf('process_cpu_seconds_total')), legend: chosen }],
    },
    {
      title: 'Event-loop lag',
      about:
        'How late timers run (p99 since the last scrape). Worry above the dashed line: everything in that process waits.',
      kind: 'lines',
      unit: 'seconds',
      width: 8,
      threshold: thresholds.eventLoopLag,
      series: [
        { expr: ofChosen((selector) => `nodejs_eventloop_lag_p99_seconds${selector}`), legend: chosen },
      ],
    },
    {
      title: 'Memory',
      about: 'Resident memory. Worry when it grows for hours without an end: something leaks.',
      kind: 'lines',
      unit: 'bytes',
      width: 8,
      series: [{ expr: ofChosen((selector) => `process_resident_memory_bytes${selector}`), legend: chosen }],
    },
    {
      title: 'Heap in use',
      about:
        'Memory of JavaScript objects. It goes up and down; worry when the lowest points rise for hours.',
      kind: 'lines',
      unit: 'bytes',
      width: 8,
      series: [{ expr: ofChosen((selector) => `nodejs_heap_size_used_bytes${selector}`), legend: chosen }],
    },
    {
      title: 'Garbage collection',
      about: 'Share of the time that a process spends on it. Worry above 10 %: the heap is too small.',
      kind: 'lines',
      unit: 'share',
      width: 8,
      series: [
        {
          expr: ofChosen(
            (selector) =>
              `sum by (instance) (rate(nodejs_gc_duration_seconds_sum${selector}[$__rate_interval]))`,
          ),
          legend: chosen,
        },
      ],
    },
    {
      title: 'Requests in progress',
      about:
        'Requests of each api without an answer yet, and its open event streams and files. Worry when requests grow: Postgres answers slowly or not at all.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [
        {
          expr: 'sum by (instance) (notify_http_requests_in_progress{instance=~"$instance"})',
          legend: 'requests {{instance}}',
        },
        {
          expr: 'sum by (instance, kind) (notify_http_streams_open{instance=~"$instance"})',
          legend: '{{kind}} {{instance}}',
        },
      ],
    },
  ],
};

const postgres: Section = {
  title: 'Postgres',
  panels: [
    {
      title: 'Connections in use',
      about: 'Share of each pool that is in use. Worry at 100 % together with callers that wait.',
      kind: 'lines',
      unit: 'share',
      width: 6,
      series: [
        {
          expr: 'sum by (pool) (notify_db_pool_connections{state="used", instance=~"$instance"}) / sum by (pool) (notify_db_pool_limit{instance=~"$instance"})',
          legend: '{{pool}}',
        },
      ],
    },
    {
      title: 'Callers that wait',
      about: 'Callers without a connection. Worry when it stays above 0.',
      kind: 'lines',
      unit: 'count',
      width: 6,
      series: [{ expr: 'sum by (pool) (notify_db_pool_waiting{instance=~"$instance"})', legend: '{{pool}}' }],
    },
    {
      title: 'Wait for a connection',
      about: 'Time until a caller had a connection (p99). Worry above 0.1 s.',
      kind: 'lines',
      unit: 'seconds',
      width: 6,
      series: [{ expr: p99Of('notify_db_pool_wait_seconds', 'pool'), legend: '{{pool}}' }],
    },
    {
      title: 'Failed statements',
      about:
        'Statements that failed each second. "conflict" is normal under load; worry about "away" (Postgres is gone) and "busy" (it refuses).',
      kind: 'lines',
      unit: 'perSecond',
      width: 6,
      series: [
        {
          expr: 'sum by (class) (rate(notify_db_statement_errors_total{instance=~"$instance"}[$__rate_interval]))',
          legend: '{{class}}',
        },
      ],
    },
    {
      title: 'Migrations pending',
      about: 'Migrations that the code has and the database has not. Worry when it is not 0: run migrate.',
      kind: 'number',
      unit: 'count',
      width: 6,
      threshold: thresholds.migrationsPending,
      series: [{ expr: 'max(notify_migrations_pending)', legend: 'pending' }],
    },
    {
      title: 'Partitions ahead',
      about:
        'Time until the first table has no partition for new rows. Worry when it is red: maintenance does not run.',
      kind: 'number',
      unit: 'duration',
      width: 6,
      threshold: thresholds.partitionsAhead,
      series: [{ expr: 'min(notify_partition_seconds_ahead)', legend: 'ahead' }],
    },
    {
      title: 'Tables without a partition',
      about:
        'Tables with rows in their default partition. Worry when it is not 0: such rows are not removed in time.',
      kind: 'number',
      unit: 'count',
      width: 6,
      threshold: thresholds.defaultRows,
      series: [{ expr: 'sum(max by (table) (notify_partition_default_rows))', legend: 'tables' }],
    },
    {
      title: 'Age of the sampled values',
      about: 'How old the values are that one process reads from the database. Worry when it is red.',
      kind: 'number',
      unit: 'seconds',
      width: 6,
      threshold: thresholds.sampleAge,
      series: [{ expr: 'min(notify_sample_age_seconds)', legend: 'age' }],
    },
  ],
};

const queue: Section = {
  title: 'Queue',
  panels: [
    {
      title: 'Connected',
      about: '1 while a process reaches Redis (or the queue in Postgres). Worry when it is 0.',
      kind: 'lines',
      unit: 'count',
      width: 8,
      series: [
        {
          expr: ofChosen((selector) => `min by (instance, role) (notify_queue_connected${selector})`),
          legend: `${chosen} {{role}}`,
        },
      ],
    },
    {
      title: 'Reconnects',
      about: 'Connections that were made again, each second. Worry when it does not stop.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [
        {
          expr: 'sum by (role) (rate(notify_queue_reconnects_total{instance=~"$instance"}[$__rate_interval]))',
          legend: '{{role}}',
        },
      ],
    },
    {
      title: 'Errors',
      about: 'Errors of the queue each second. Worry when it is not 0 for minutes.',
      kind: 'lines',
      unit: 'perSecond',
      width: 8,
      series: [
        {
          expr: 'sum by (role) (rate(notify_queue_errors_total{instance=~"$instance"}[$__rate_interval]))',
          legend: '{{role}}',
        },
      ],
    },
  ],
};

/** The processes themselves, and the stores that they share. */
export const processes: Board = {
  name: 'processes',
  title: 'Notify: processes',
  about: 'Which process or store is in trouble? Choose a kind of process or single ones on top.',
  byProcess: true,
  sections: [which, work, postgres, queue],
};

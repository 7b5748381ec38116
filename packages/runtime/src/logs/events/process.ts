import { events } from '../event.ts';

/** Life of a process. */
export const processEvents = events({
  listening: {
    level: 'info',
    msg: 'listening',
    means: 'The api answers requests.',
    fields: ['host', 'port', 'healthPort'],
    background: true,
  },
  'taking-turns': {
    level: 'info',
    msg: 'taking turns',
    means: 'The worker has started.',
    fields: ['healthPort'],
    background: true,
  },
  'schema-unfit': {
    level: 'error',
    msg: 'the schema does not fit this version; the process is not ready',
    means:
      '`detail` says whether migrations are pending, or which version the schema needs. Found by the checks of `/readyz`, and logged once.',
    fields: ['detail'],
    background: true,
  },
  'schema-fits': {
    level: 'info',
    msg: 'the schema fits this version again',
    means: 'What `schema-unfit` told has ended.',
    fields: [],
    background: true,
  },
  'shutting-down': {
    level: 'info',
    msg: 'shutting down',
    means: 'A signal told the process to end. It ends its work within `deadlineMs`.',
    fields: ['signal', 'deadlineMs'],
    background: true,
  },
  'shut-down': {
    level: 'info',
    msg: 'shut down',
    means: 'The process has ended its work.',
    fields: [],
    background: true,
  },
  'shutdown-repeated': {
    level: 'error',
    msg: 'second signal: exiting at once',
    means: 'Leases cover the work in flight.',
    fields: ['signal'],
    background: true,
  },
  'shutdown-overdue': {
    level: 'error',
    msg: 'shutdown took too long: exiting',
    means: 'Work was still in flight at the deadline. Leases cover it.',
    fields: ['deadlineMs'],
    background: true,
  },
  'shutdown-failed': {
    level: 'error',
    msg: 'shutdown failed',
    means: 'The process exits with 1.',
    fields: ['err'],
    background: true,
  },
  'uncaught-exception': {
    level: 'fatal',
    msg: 'uncaught exception',
    means: 'A defect. The process exits at once, and its supervisor should start it again.',
    fields: ['err', 'origin'],
    background: true,
  },
  'periodic-task-failed': {
    level: 'warn',
    msg: 'periodic task failed; it will be tried again',
    means: 'The task runs again after its period. Logged once until it succeeds.',
    fields: ['err', 'task'],
    background: true,
  },
  'periodic-task-succeeds': {
    level: 'info',
    msg: 'periodic task succeeds again',
    means: 'The task of `periodic-task-failed` succeeds again.',
    fields: ['task'],
    background: true,
  },
  'metrics-port-taken': {
    level: 'warn',
    msg: 'no metrics: the port is in use, set HEALTH_PORT to another one',
    means: 'The process runs without `/metrics`.',
    fields: ['port'],
    background: true,
  },
  'metrics-open': {
    level: 'warn',
    msg: 'the metrics are open to other hosts: set METRICS_TOKEN, or HEALTH_HOST to 127.0.0.1',
    means: 'Anyone who reaches `HEALTH_PORT` can read `/metrics`. Logged once at the start.',
    fields: ['port'],
    background: true,
  },
  'metrics-failed': {
    level: 'error',
    msg: 'metrics failed',
    means: 'A defect: a scrape was answered with 500.',
    fields: ['err'],
    background: true,
  },
  'heartbeat-not-stored': {
    level: 'warn',
    msg: 'heartbeat not stored; it is tried again',
    means:
      'The database is away. The process goes on; to others it counts as ended after 15 s. Logged once per absence.',
    fields: ['err'],
    background: true,
  },
  'heartbeat-stored-again': {
    level: 'info',
    msg: 'heartbeats are stored again',
    means: 'The absence of `heartbeat-not-stored` has ended.',
    fields: [],
    background: true,
  },
  'sample-query-failed': {
    level: 'warn',
    msg: 'sample query failed; it is tried again',
    means:
      'The sampled metrics keep their values, and `notify_sample_age_seconds` grows. Logged once per query until it succeeds.',
    fields: ['err', 'query'],
    background: true,
  },
  'sample-query-succeeds': {
    level: 'info',
    msg: 'sample query succeeds again',
    means: 'The query of `sample-query-failed` succeeds again.',
    fields: ['query'],
    background: true,
  },
  'sample-not-taken': {
    level: 'warn',
    msg: 'no sample taken; it is tried again',
    means: 'The database is away. Logged once per absence.',
    fields: ['err'],
    background: true,
  },
  'sample-taken-again': {
    level: 'info',
    msg: 'samples are taken again',
    means: 'The absence of `sample-not-taken` has ended.',
    fields: [],
    background: true,
  },
  'traces-lost': {
    level: 'warn',
    msg: 'traces cannot be sent and are lost',
    means:
      'The collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take spans. Messages are not affected. Logged once per outage.',
    fields: ['detail'],
    background: true,
  },
  'traces-sent-again': {
    level: 'info',
    msg: 'traces are sent again',
    means: 'The outage of `traces-lost` has ended.',
    fields: [],
    background: true,
  },
  'log-levels-changed': {
    level: 'info',
    msg: 'log levels changed',
    means: '`notify log-level` changed the levels of this process, or a change has ended.',
    fields: ['detail'],
    background: true,
  },
  'line-lost': {
    level: 'error',
    msg: 'a log line could not be written',
    means: 'The fields of the event that `lostEvent` names could not be written. A defect.',
    fields: ['lostEvent', 'err'],
  },
});

/** `npm start` and `notify all`, which start the other processes. */
export const startEvents = events({
  step: {
    level: 'info',
    msg: null,
    means: 'A step of the start or of the end.',
    fields: ['msg'],
    background: true,
  },
  ready: {
    level: 'info',
    msg: 'ready',
    means: 'All processes have started.',
    fields: ['url'],
    background: true,
  },
  output: {
    level: 'error',
    msg: null,
    means: 'A process wrote something that is no log line, such as the reason of a crash.',
    fields: ['msg', 'source'],
    background: true,
  },
  'start-failed': {
    level: 'fatal',
    msg: null,
    means: 'The start failed, or a process ended by itself.',
    fields: ['msg'],
    background: true,
  },
});

/** Connections to Postgres and Redis. */
export const connectionEvents = events({
  'connection-trouble': {
    level: 'warn',
    msg: 'connection trouble',
    means:
      'A connection to Postgres or Redis failed, or a request to the bucket of `FILES_URL`. The process tries again.',
    fields: ['err'],
    background: true,
  },
  'database-moved': {
    level: 'warn',
    msg: 'connections go to another server of Postgres',
    means:
      'Of the servers of DATABASE_URL, `server` now takes writes, and `otherServer` did before. Connections to the latter are closed.',
    fields: ['server', 'otherServer'],
    background: true,
  },
  'former-primary': {
    level: 'error',
    msg: 'a former primary of Postgres takes writes: stop it',
    means:
      '`server` takes writes on an older timeline than `otherServer`, the primary. This process does not use it, but others may. What is written there will be lost. Logged once until it ends.',
    fields: ['server', 'otherServer'],
    background: true,
  },
  'redis-moved': {
    level: 'info',
    msg: 'Redis has another master',
    means: 'The process has followed a failover of Sentinel or of the cluster.',
    fields: ['masters'],
    background: true,
  },
  'pooler-misfit': {
    level: 'error',
    msg: 'the settings do not fit the pooler of Postgres',
    means:
      'The database was away at the start, so the process could not refuse to start. `detail` says which setting to change.',
    fields: ['detail'],
    background: true,
  },
});

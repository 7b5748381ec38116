import { headerList, logLevels, oneOf, ratio, seconds, urlOf } from './setting-kinds.ts';

/** The settings of logs and traces, as rows of the settings table. */
export const telemetrySettings = {
  logLevel: {
    variable: 'LOG_LEVEL',
    kind: logLevels,
    fallback: 'info',
    about:
      'Minimum log level, and others for single components: `info,dispatch=debug`. `notify log-level` changes it at run time. `docs/logs.md` lists the components.',
  },
  logSuccesses: {
    variable: 'LOG_SUCCESSES',
    kind: ratio,
    fallback: '1',
    about:
      'Share of the log lines about requests, attempts and posts that succeeded. Failures are always logged. `docs/logs.md` says more.',
  },
  traceEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: urlOf('http', 'https'),
    fallback: null,
    about:
      'Base URL of an OpenTelemetry collector that takes traces over OTLP/HTTP, such as `http://127.0.0.1:4318`. If unset, there are no traces.',
  },
  traceHeaders: {
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    kind: headerList,
    fallback: null,
    secret: true,
    about:
      'Headers for the collector, as `name=value`, separated by commas. Values are percent-encoded: a space is `%20`.',
  },
  traceRatio: {
    variable: 'TRACE_RATIO',
    kind: ratio,
    fallback: '1',
    about:
      'Share of messages that are traced. A `traceparent` from the sender decides for its own message instead, see `TRACE_SENDERS`.',
  },
  traceSenders: {
    variable: 'TRACE_SENDERS',
    kind: oneOf('follow', 'ignore'),
    fallback: 'follow',
    about:
      'Whether a `traceparent` from a sender continues its trace and decides whether that is sampled, for up to 10 messages a second and tenant in each api process.',
  },
  sampleMs: {
    variable: 'SAMPLE_SECONDS',
    kind: seconds(1, 300),
    fallback: '15',
    unit: 'seconds',
    about:
      'Interval of the queries behind the metrics of waiting, due and oldest items, accounts and webhooks. One dispatch worker runs them for all.',
  },
} as const;

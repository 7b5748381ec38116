import { readGauge } from './read-gauge.ts';
import { counter, counts, gauge, histogram, requestSeconds, shortSeconds } from './registry.ts';

/** What clients ask of the api. */
export const http = {
  requests: counter(
    'http_requests_total',
    "Requests that have ended, by the route's pattern, status and kind of credential",
    ['method', 'route', 'status', 'credential'],
  ),
  /** `class` is `2xx`, `3xx`, `4xx`, `5xx` or `aborted`. Event streams and files are not in it. */
  duration: histogram(
    'http_request_duration_seconds',
    'Time from the head of a request to the end of its answer',
    ['method', 'route', 'class'],
    requestSeconds,
  ),
  inProgress: gauge('http_requests_in_progress', 'Requests without an answer yet', []),
  streams: gauge('http_streams_open', 'Event streams and file downloads that are open', ['kind']),
  rateLimited: counter('http_rate_limited_total', 'Requests refused with 429', ['credential']),
};

/** What the api lets in. `class` is a class of work, `reason` is `full`, `late`, `gone` or `bodies`. */
export const admission = {
  limit: readGauge('admission_limit', 'Requests of a class that may be in progress at once', ['class']),
  running: readGauge('admission_running', 'Requests that have a place', ['class']),
  waiting: readGauge('admission_waiting', 'Requests that wait for a place', ['class']),
  refused: counter('admission_refused_total', 'Requests that got no place', ['class', 'reason']),
};

/** Sends that the api commits. */
export const accept = {
  /** `result` is `accepted`, `repeated` or `refused`. */
  messages: counter('accept_messages_total', 'Messages that were sent to the api', ['channel', 'result']),
  batch: histogram('accept_batch_messages', 'Messages in one commit', [], counts),
  duration: histogram('accept_commit_duration_seconds', 'Time of one commit', [], shortSeconds),
};

/** Wakes that are handed to the queue. `kind` is `dispatch`, `webhooks` or `whatsapp-web`; `result` `sent` or `failed`. */
export const wakes = counter('wakes_total', 'Turns that were asked for', ['kind', 'result']);

/** Callbacks of providers to the api. `result` is `accepted`, `refused` (forged, unreadable) or `failed`. */
export const callbacks = counter('callbacks_total', 'Callbacks of providers', ['provider', 'result']);

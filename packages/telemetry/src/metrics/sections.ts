import { accountLanes, processNames } from '@notify/core';

/** A section of `docs/metrics.md`. */
export interface Section {
  readonly title: string;
  /** Which processes record its metrics. */
  readonly processes: string;
  /** How the names of its metrics begin, after `notify_`. */
  readonly begins: readonly string[];
  /** The values of each label of its metrics. */
  readonly labels: Readonly<Record<string, string>>;
}

const listed = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');
const workers = 'Dispatch workers, webhook workers and `whatsapp-sessions`.';
const senders = 'Dispatch workers and `whatsapp-sessions`.';
const everyProcess = 'All processes.';
const provider = 'a provider, such as `twilio`; `none` before an account was chosen';
const channel = '`sms`, `telegram`, `whatsapp`';
const turnKind = '`dispatch`, `webhooks`, `groups` (of a tenant), `whatsapp-web` (turns of linked devices)';
const lane = '`fast`, `slow` (accounts and webhooks whose calls take long)';

/** What the documentation says beside the help texts. Each metric belongs to one section. */
export const sections: readonly Section[] = [
  {
    title: 'Requests',
    processes: 'The api. Health checks are not counted.',
    begins: ['http_'],
    labels: {
      method: '`GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE`, `OPTIONS`, `other`',
      route:
        'the pattern of the route, such as `/v1/notify/:channel/text`; `dashboard` for its pages and files; `none` for requests that match nothing',
      status: 'of the answer; `aborted` if the client left before its end',
      credential:
        'what the request carries for its route, valid or not: `api-key`, `session`, `service-token`, `none`',
      class: '`2xx`, `3xx`, `4xx`, `5xx`, `aborted`. Event streams and files are not in it',
      kind: '`events`, `files`',
    },
  },
  {
    title: 'Admission',
    processes: 'The api. [Too much load](overload.md#too-much-load) explains it.',
    begins: ['admission_'],
    labels: {
      class: '`send`, `callback`, `look-up`, `change`, `list`, `sign-in`',
      reason:
        '`full` (too much waits), `late` (its turn did not come in time), `gone` (the client hung up first), `bodies` (large bodies take too much memory)',
    },
  },
  {
    title: 'Accepting messages',
    processes: 'The api.',
    begins: ['accept_', 'callbacks_'],
    labels: {
      channel,
      result:
        'of a message: `accepted`, `repeated` (its idempotency key was known), `refused`, `failed` (an item of a bulk call that was stored as failed). Of a callback: `accepted`, `refused` (forged, unreadable, too many), `failed`',
      provider: 'a provider, such as `twilio`; `unknown` if the path names none of ours',
    },
  },
  {
    title: 'Uploaded files',
    processes: 'The api counts uploads, the dispatch workers what the sweep removes.',
    begins: ['files_'],
    labels: {
      result:
        'of an upload: `stored`; `refused` (too large, of another type, cut off, beyond the limit of its tenant)',
    },
  },
  {
    title: 'Verifications',
    processes: 'The api. Figures by country prefix are in `GET /v1/usage/verifications`.',
    begins: ['verification_'],
    labels: {
      result:
        'of a start: `started`, `repeated` (an earlier one answers), `limited-recipient`, `limited-prefix`, `held`, `refused`. Of a check: `approved`, `wrong`, `ended` (the verification had ended), `unknown` (there is none), `no-key` (its master key is missing)',
    },
  },
  {
    title: 'Read and typing',
    processes: 'The api.',
    begins: ['tells_'],
    labels: {
      state: '`read`, `typing`',
      result:
        '`delivered`, or the reason why not, as the API says: `not-supported`, `no-message`, `not-connected`, `rate-limited`, `refused`, `unavailable`, `timeout`',
    },
  },
  {
    title: 'Turns',
    processes: workers,
    begins: ['turn', 'claim', 'permits', 'leases_lost', 'settle'],
    labels: {
      kind: `of turns, claims and permits: ${turnKind}. Of settlements: \`messages\`, \`deliveries\``,
      lane,
      end: '`done`, `empty` (nothing was due), `passed-on` (another process must take it), `failed`',
      state:
        '`call`, `taken-over` (from a process that ended), and of messages also `without-receipt` (no receipt came after an unknown outcome) and `opted-out`',
      of: '`calls`, `media`',
      result: '`committed`, `failed` (it is tried again)',
    },
  },
  {
    title: 'Messages',
    processes: `${senders} The api applies receipts and stores what people write, too.`,
    begins: [
      'provider_call',
      'messages_',
      'message_failures',
      'unknown_outcomes',
      'repeated_sends',
      'quiet_hours',
      'time_to_',
      'receipts_total',
      'group',
      'inbound_',
    ],
    labels: {
      provider,
      channel,
      outcome: '`accepted`, `throttled`, `retry`, `rejected`, `connection-broken`, `unknown`',
      status: '`sent`, `delivered`, `read`, `failed`. Of a group: `sent`, `delivered`, `failed`',
      error_code: 'a code of [errors.md](errors.md#failed-messages); `other` for those that settings name',
      size: '`single`, `bulk`',
      result: 'of receipts: `applied`, `early`, `orphaned`. Of what people write: `stored`, `repeated`',
      kind: '`message`, `reaction`, `button`, `pairing`, `consent`',
    },
  },
  {
    title: 'Webhooks',
    processes: 'Webhook workers.',
    begins: ['webhook_post', 'webhook_pack', 'event_to_post'],
    labels: {
      outcome:
        '`2xx`, `3xx`, `4xx`, `5xx`, `timeout`, `refused` (no connection), `blocked` (egress forbids the address), `broken`, `unsigned` (its secret cannot be opened), `proxy` (ours failed), `aborted` (the process ended)',
      lane,
    },
  },
  {
    title: 'Linked devices',
    processes: '`whatsapp-sessions`.',
    begins: ['linked_devices', 'device_'],
    labels: {
      state: '`connected`, `connecting`, `waiting` (to connect again), `linking`, `blocked`',
      reason: '`new`, `moved` (given by another process), `taken-over` (its process has ended)',
      code: "WhatsApp's close code (405: our version is retired), `frozen`, `no-ack`, `ours`, `other`",
    },
  },
  {
    title: 'What waits',
    processes: 'One dispatch worker at a time. It queries on a timer; the others export none of it.',
    begins: [
      'sample_',
      'due',
      'waiting',
      'accounts',
      'webhooks',
      'receipts_waiting',
      'scheduled_messages',
      'linked_device_accounts',
      'processes',
      'migrations_',
      'sends_held_',
      'partition_',
    ],
    labels: {
      kind: '`messages`, `deliveries`, `groups` (checks of them, always `fast`)',
      lane: listed(accountLanes),
      provider: 'a provider, such as `twilio`',
      status: 'of the accounts, such as `connected` or `action-required`',
      state: '`active`, `failing` (active, and only probed), `disabled`',
      process: listed(processNames.toSorted()),
      table: 'a partitioned table, such as `messages`',
    },
  },
  {
    title: 'Postgres, the queue and traces',
    processes: everyProcess,
    begins: ['db_', 'queue_', 'wakes_', 'trace_'],
    labels: {
      pool: 'the application name, such as `notify-api` or `notify-dashboard`',
      state: '`used`, `idle`',
      class:
        '`away`, `busy` (a timeout or a lock), `conflict` (with another transaction), `data` (a value that cannot be stored), `unknown`',
      server: '`host:port` of `DATABASE_URL`',
      reason:
        '`read_only` (the server became read-only), `moved` (another server is the primary), `terminated` (the server ended), `timeout` (a statement took too long), `broken` (without a word)',
      role: '`waker`, `worker`',
      kind: turnKind,
      result:
        'of wakes: `sent`, `failed` (the sweeper repeats it). Of spans: `sent`, `failed` (the collector did not take them), `dropped` (too many waited)',
    },
  },
  {
    title: 'Processes',
    processes: everyProcess,
    begins: ['build_', 'clock_', 'heartbeat_'],
    labels: {
      process: listed(processNames.toSorted()),
      version: 'of Notify',
      node: 'the version of Node',
    },
  },
];

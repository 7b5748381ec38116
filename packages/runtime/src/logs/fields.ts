/** The values that a field may have, by the name of its kind. */
export interface FieldKinds {
  text: string;
  'text or null': string | null;
  number: number;
  'number or null': number | null;
  'number or text': number | string;
  flag: boolean;
  texts: readonly string[];
  numbers: readonly number[];
  error: unknown;
  object: object;
}

export interface Field {
  readonly kind: keyof FieldKinds;
  readonly means: string;
  readonly example: unknown;
}

function field<const K extends keyof FieldKinds>(kind: K, means: string, example: FieldKinds[K]) {
  return { kind, means, example } as const;
}

const someId = '0199c1de-8f3a-7d64-9b0e-5a2f6c1b7e10';

/**
 * Every field of a log line. A name means the same in all lines. None has a message's text, a recipient, a URL of a
 * tenant or a secret.
 */
export const logFields = {
  aborted: field('flag', 'The caller was gone before the answer was complete.', true),
  accountId: field('text', 'The channel account.', someId),
  attempt: field('number', 'The number of the attempt, from 1.', 1),
  code: field('number or text', "WhatsApp's close code of the connection, or `frozen` or `no-ack`.", 428),
  count: field('number', 'How many.', 3),
  deadlineMs: field('number', 'The time that ending may take, in ms.', 9_000),
  decision: field('text', 'What follows from the outcome.', 'sent'),
  deliveries: field('number', 'Deliveries that it concerns.', 4),
  deliveryId: field('text', 'The delivery: one event for one webhook.', someId),
  detail: field(
    'text or null',
    'Why, or more about it, in words, without names or addresses of the tenant.',
    'no answer',
  ),
  disagreeing: field('number', 'Processes that run with another WHATSAPP_PARTITIONS.', 0),
  durationMs: field('number or null', 'How long it took, in ms. Null if there was no call.', 42),
  err: field('error', 'The error: `type`, `message`, `code`, `stack`, `cause`.', {
    type: 'Error',
    message: 'connect ECONNREFUSED 127.0.0.1:5432',
    code: 'ECONNREFUSED',
  }),
  error: field('text', 'Why a post got no answer, as a code.', 'timeout'),
  eventId: field('text', 'The event.', someId),
  events: field('number', 'The events of a pack.', 120),
  expired: field('number', 'Deliveries that were given up.', 2),
  failures: field('number', 'Connections in a row that failed.', 0),
  groupId: field('text', 'The group.', someId),
  healthPort: field('number or null', 'The port of health checks and metrics. Null without one.', 3001),
  host: field('text', 'The address that the process listens on.', '127.0.0.1'),
  id: field(
    'text',
    'What has turns: the account, the webhook or the tenant with groups, or the provider in the WhatsApp lane.',
    someId,
  ),
  inbound: field('number', 'Inbound messages.', 1),
  kind: field('text', 'The kind of turn, mail or failure.', 'dispatch'),
  lane: field('text', 'The lane of turns.', 'fast'),
  lids: field('number', 'Contacts whose number WhatsApp hides.', 12),
  loggedOut: field('flag', 'Whether WhatsApp confirmed that the phone is logged out.', true),
  lostEvent: field('text', 'The event whose line was lost.', 'attempt'),
  masters: field('text', 'The addresses of the masters of Redis.', '10.0.0.5:6379'),
  messageId: field('text', 'The message.', someId),
  messageIds: field('texts', 'The messages, at most 100 in a line.', [someId]),
  messages: field('number', 'Messages that it concerns.', 5),
  method: field('text or null', 'The HTTP method.', 'POST'),
  mode: field('text or null', 'How updates are received.', 'poll'),
  msg: field('text', 'The sentence of a line whose text varies.', 'starting the api and the workers'),
  origin: field('text', 'What Node.js names as the origin.', 'uncaughtException'),
  otherServer: field('text', 'The server that it is compared with: `host:port`.', 'db1:5432'),
  outcome: field('text', 'What the provider did with the call.', 'accepted'),
  packId: field('text', 'The pack that was posted.', someId),
  part: field('number', 'The part of a long text, from 0.', 0),
  partition: field('number', 'A partition of accounts whose connections one process holds.', 3),
  partitionCount: field(
    'number',
    'The number of partitions that is set for this process, such as WHATSAPP_PARTITIONS.',
    16,
  ),
  partitions: field('numbers', 'Partitions of accounts whose connections one process holds.', [3, 7]),
  port: field('number', 'The port that the process listens on.', 3000),
  processes: field('number', 'Processes that share the partitions.', 2),
  provider: field('text', 'The provider of the account.', 'twilio'),
  providerCode: field('text or null', "The provider's own code of the failure.", '21211'),
  query: field('text', 'The part of the sample that it concerns.', 'due'),
  queue: field('text', 'The queue of the turns of one partition.', 'dispatch-3'),
  receiptId: field('text or null', 'The receipt.', someId),
  received: field('number', 'Receipts that arrived together.', 20),
  repeated: field('number', 'Inbound messages that were stored before.', 0),
  restriction: field('object', 'What WhatsApp restricts: `kind`, and until when.', { kind: 'lifted' }),
  route: field('text or null', 'The pattern of the path, never the path itself.', '/v1/notify/:channel/text'),
  server: field('text', 'A server of Postgres: `host:port` of DATABASE_URL.', 'db2:5432'),
  signal: field('text', 'The signal.', 'SIGTERM'),
  smtpStatus: field('number or null', "The mail server's code.", 451),
  source: field('text', 'The process that wrote it.', 'api'),
  status: field('number', 'The HTTP status.', 202),
  step: field('text', 'The step that failed.', 'partitions'),
  steps: field('object', 'What each step did.', { expired: { links: 1 } }),
  stored: field('flag', 'Whether the list was stored. Another process may have been faster.', true),
  task: field('text', 'The task that runs again and again.', 'sweep-dispatch'),
  templates: field('number', 'Templates in the list.', 14),
  tenantId: field('text', 'The tenant.', someId),
  tokens: field('number', 'Contacts whose tokens were read.', 240),
  traceId: field('text', 'The trace of the message, where it is traced.', someId.replaceAll('-', '')),
  tries: field('number', 'How often it has been tried.', 1),
  url: field('text', "The service's own address.", 'http://localhost:3000'),
  waitMs: field('number', 'Time until the next attempt, in ms.', 30_000),
  waitingReceipts: field('number', 'Receipts that came too early or could not be applied yet.', 2),
  waiting: field('number', 'Mails that wait.', 500),
  wakes: field('number', 'Turns that were asked for.', 3),
  wasReached: field('flag', 'Whether WhatsApp was reached.', true),
  webhookId: field('text', 'The webhook.', someId),
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof logFields;
/** The type of a field's value. */
export type FieldValue<N extends FieldName> = FieldKinds[(typeof logFields)[N]['kind']];

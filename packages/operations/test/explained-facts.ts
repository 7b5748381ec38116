import type {
  AccountFacts,
  DeliveryFacts,
  DueFacts,
  MessageFacts,
  ProcessFacts,
  WebhookFacts,
} from '@notify/db/explanations';

export const now = new Date('2026-01-31T15:03:53.000Z');
export const id = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90';
const holder = '5f0c1f0e-6b1a-4c7e-9a11-2b3c4d5e6f70';

/** So many seconds from now. */
export function at(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000);
}

export function worker(name: string, seenSeconds: number): ProcessFacts {
  return {
    id: `${holder.slice(0, 18)}-8888-999999999999`,
    name,
    version: '0.1.0',
    host: 'mars',
    pid: 42,
    startedAt: at(-3_600),
    seenAt: at(-seenSeconds),
  };
}

const due: DueFacts = {
  bulk: false,
  dueAt: at(-1),
  expiresAt: at(86_400),
  lease: null,
  attempts: 0,
  resends: 0,
  part: 0,
  awaitingReceipt: false,
  hasRecipientTime: false,
  quietUntil: null,
};
const account: AccountFacts = {
  id,
  name: 'Main',
  channel: 'sms',
  provider: 'twilio',
  status: 'connected',
  statusDetail: null,
  lane: 'fast',
  failuresInRow: 0,
  pausedUntil: null,
  held: false,
  pauseReason: null,
  blocked: false,
  perSecond: null,
  pacedUntil: null,
  removedAt: null,
};
const webhook: WebhookFacts = {
  isActive: true,
  disabledReason: null,
  failingSince: null,
  failureCount: 0,
  pausedUntil: null,
  atOnce: 8,
  lane: 'fast',
  lastFailedStatus: null,
  lastFailedError: null,
};

type Message = MessageFacts['history']['message'];

/** What differs from a message that is due since a second. */
export interface Changes {
  readonly message?: Partial<Message>;
  readonly attempts?: readonly { outcome: string; number?: number; text?: string; providerCode?: string }[];
  readonly due?: Partial<DueFacts> | null;
  readonly account?: Partial<AccountFacts> | null;
  readonly blockedAt?: Date;
  readonly sendsHeldSince?: Date;
  readonly ahead?: Partial<MessageFacts['ahead']>;
  readonly recipient?: Partial<MessageFacts['recipient']>;
  readonly processes?: readonly ProcessFacts[];
  readonly deliveries?: readonly DeliveryFacts[];
}

/** A message that is due since a second, beside a running dispatch worker, with these changes. */
export function factsWith(changes: Changes): MessageFacts {
  const message = {
    body: { text: 'Hello' },
    id,
    tenant_id: id,
    status: 'queued',
    channel: 'sms',
    type: 'text',
    bulk: false,
    created_at: at(-60),
    updated_at: at(-10),
    received_at: null,
    sent_at: null,
    delivered_at: null,
    failed_at: null,
    error: null,
    error_code: null,
    parts: 1,
    delivered_parts: [] as number[],
    recipient: '+15550001000',
    ...changes.message,
  } as Message;
  const attempts = (changes.attempts ?? []).map((one, index) => ({
    number: index + 1,
    part: 0,
    providerCode: null,
    text: null,
    startedAt: at(-20),
    endedAt: at(-19),
    ...one,
  })) as unknown as MessageFacts['history']['attempts'];
  const deliveries = changes.deliveries ?? [];
  return {
    now,
    sendsHeldSince: changes.sendsHeldSince ?? null,
    history: { message, attempts, events: [], deliveries: deliveries.map(({ delivery }) => delivery) },
    tenant: { id, name: 'Acme', blockedAt: changes.blockedAt ?? null },
    account: changes.account === null ? null : { ...account, ...changes.account },
    due: changes.due === null ? null : { ...due, ...changes.due },
    ahead: { ofItsKind: 0, singles: 0, ...changes.ahead },
    recipient: { optedOut: false, slowedUntil: null, ...changes.recipient },
    deliveries,
    processes: changes.processes ?? [worker('dispatch-worker', 1), worker('webhook-worker', 1)],
  };
}

/** A lease that ends so many seconds from now. */
export function lease(seconds: number): { readonly holder: string; readonly until: Date } {
  return { holder, until: at(seconds) };
}

/** What differs from a delivery that is due since a second. */
export interface DeliveryChanges {
  readonly state?: string;
  readonly reason?: string;
  readonly attempts?: number;
  readonly status?: number;
  readonly webhook?: Partial<WebhookFacts> | null;
  readonly waiting?: Partial<NonNullable<DeliveryFacts['waiting']>>;
}

export function delivery(changes: DeliveryChanges): DeliveryFacts {
  const lastAttempt = {
    beganAt: at(-9).toISOString(),
    status: changes.status ?? null,
    error: null,
    durationMs: 5,
  };
  return {
    delivery: {
      id,
      webhookId: id,
      url: 'https://example.com/hook',
      eventId: id,
      event: 'message.queued',
      state: changes.state ?? 'waiting',
      reason: changes.reason ?? null,
      attempts: changes.attempts ?? 0,
      createdAt: at(-60),
      endedAt: changes.state === undefined ? null : at(-5),
      nextAttemptAt: null,
      lastAttempt: changes.status === undefined ? null : lastAttempt,
    } as DeliveryFacts['delivery'],
    webhook: changes.webhook === null ? null : { ...webhook, ...changes.webhook },
    waiting: { dueAt: at(-1), lease: null, ahead: 0, ...changes.waiting },
  };
}

/** A webhook that fails. */
export const failing = { failureCount: 6, failingSince: at(-600), lastFailedStatus: 500 };

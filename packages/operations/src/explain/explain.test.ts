import type {
  AccountFacts,
  DeliveryFacts,
  DueFacts,
  MessageFacts,
  ProcessFacts,
  WebhookFacts,
} from '@notify/db/explanations';
import { explain } from './explain.ts';
import { standingOf, standingOfDelivery } from './standing.ts';
import { wordsOf } from './words.ts';

const now = new Date('2026-01-31T15:03:53.000Z');
const id = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90';
const holder = '5f0c1f0e-6b1a-4c7e-9a11-2b3c4d5e6f70';

function at(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000);
}

function worker(name: string, seenSeconds: number): ProcessFacts {
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
  hasSlot: false,
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

interface Changes {
  readonly message?: Partial<Message>;
  readonly attempts?: readonly { outcome: string; number?: number; text?: string; providerCode?: string }[];
  readonly due?: Partial<DueFacts> | null;
  readonly account?: Partial<AccountFacts> | null;
  readonly blockedAt?: Date;
  readonly ahead?: Partial<MessageFacts['ahead']>;
  readonly recipient?: Partial<MessageFacts['recipient']>;
  readonly processes?: readonly ProcessFacts[];
  readonly deliveries?: readonly DeliveryFacts[];
}

/** A message that is due since a second, beside a running dispatch worker, with these changes. */
function factsWith(changes: Changes): MessageFacts {
  const message = {
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

const lease = (seconds: number) => ({ holder, until: at(seconds) });
const retried = { outcome: 'retry', text: 'Service Unavailable', providerCode: '503' } as const;

const cases: readonly [title: string, Changes, codes: string, words: RegExp][] = [
  [
    'delivered',
    { message: { status: 'delivered', delivered_at: at(-5) }, due: null },
    'delivered',
    /5 s ago \(15:03:48Z\)/,
  ],
  [
    'sent',
    {
      message: { status: 'sent', sent_at: at(-5) },
      attempts: [retried, { outcome: 'accepted' }],
      due: null,
    },
    'sent',
    /no delivery receipt yet\. Accepted 5 s ago \(15:03:48Z\) on attempt 2\.$/,
  ],
  [
    'sent, of which two parts are delivered',
    { message: { status: 'sent', sent_at: at(-5), parts: 3, delivered_parts: [0, 1] }, due: null },
    'sent',
    /accepted it\. 2 of 3 parts are delivered\./,
  ],
  [
    'failed, with the code of the provider’s answer',
    {
      message: {
        status: 'failed',
        error_code: 'invalid-recipient',
        error: 'Not a number',
        failed_at: at(-5),
      },
      attempts: [{ outcome: 'rejected', providerCode: '21211', text: 'Not a number' }],
      due: null,
    },
    'failed',
    /failed: invalid-recipient\. It failed .*Attempt 1: rejected \(21211\)/,
  ],
  ['received', { message: { received_at: at(-5) }, due: null }, 'received', /A person wrote this message/],
  [
    'without a due row',
    { due: null },
    'not-waiting',
    /not queued for sending, and its outcome is not stored yet/,
  ],
  [
    'leased by a running worker',
    { due: { lease: lease(20) } },
    'in-progress',
    /being handed to the provider\. The lease is held by dispatch-worker on mars \(pid 42\), seen 1 s ago\. It ends in 20 s \(15:04:13Z\)\.$/,
  ],
  [
    'leased with a file',
    { due: { lease: lease(20) }, message: { type: 'image' } },
    'in-progress',
    /Its file is being fetched/,
  ],
  [
    'leased by a process that missed some heartbeats',
    { due: { lease: lease(20) }, processes: [worker('dispatch-worker', 29)] },
    'in-progress',
    /\(pid 42\), seen 29 s ago\. It ends in 20 s/,
  ],
  [
    'leased by a process that ended',
    { due: { lease: lease(20) }, processes: [worker('dispatch-worker', 31)] },
    'interrupted',
    /ended or hangs: it was last seen 31 s ago\. The lease ends in 20 s \(15:04:13Z\); then it is taken over as an unknown outcome/,
  ],
  [
    'leased by a process that nobody lists',
    { due: { lease: lease(20) }, processes: [] },
    'in-progress',
    /not listed \(5f0c1f0e-6b1a-4c7e…\)/,
  ],
  ['whose lease has ended', { due: { lease: lease(-2) } }, 'interrupted', /The lease ended 2 s ago/],
  ['of a removed account', { account: { removedAt: at(-4) } }, 'account-removed', /removed 4 s ago/],
  ['of no account', { account: null }, 'account-removed', /row of the account is gone/],
  ['expired', { due: { expiresAt: at(-1) } }, 'expired', /expired 1 s ago/],
  [
    'expired that waits for a receipt',
    { due: { expiresAt: at(-1), dueAt: at(9), awaitingReceipt: true } },
    'awaiting-receipt',
    /waits until in 9 s/,
  ],
  [
    'of a blocked tenant',
    { account: { blocked: true }, blockedAt: at(-90) },
    'tenant-blocked',
    /Blocked 1 min 30 s ago/,
  ],
  [
    'of an account that needs action',
    { account: { held: true, status: 'action-required', statusDetail: 'Authenticate' } },
    'account-action-required',
    /^Messages wait until the account is fixed\. Authenticate\.$/,
  ],
  [
    'of a linked device that is not connected',
    { account: { held: true, status: 'disconnected', provider: 'whatsapp-web', lane: 'whatsapp-web' } },
    'account-not-connected',
    /The linked device is disconnected\./,
  ],
  [
    'of a paused account',
    { account: { pausedUntil: at(12), pauseReason: 'Too Many Requests' } },
    'account-paused',
    /paused \(Too Many Requests\)\. Sending resumes in 12 s \(15:04:05Z\)/,
  ],
  [
    'waiting for its next attempt',
    { due: { dueAt: at(12), attempts: 1 }, attempts: [retried] },
    'retry',
    /Attempt 1 failed, and nothing was sent \(503\)\..*due in 12 s \(15:04:05Z\)/,
  ],
  [
    'throttled for its recipient',
    { due: { dueAt: at(12) }, attempts: [{ outcome: 'throttled', text: 'Slow down.' }] },
    'throttled',
    /asked to wait before the next message to this recipient\./,
  ],
  [
    'to be sent once more',
    { due: { dueAt: at(3), resends: 1, attempts: 1 }, attempts: [{ outcome: 'unknown' }] },
    'repeat',
    /sent once more/,
  ],
  [
    'waiting for a receipt',
    { due: { dueAt: at(60), awaitingReceipt: true } },
    'awaiting-receipt',
    /in 1 min \(15:04:53Z\)/,
  ],
  [
    'with a slot of its recipient',
    { due: { dueAt: at(2), hasSlot: true } },
    'recipient-pace',
    /Its slot is in 2 s/,
  ],
  [
    'to a contact that answers like a program',
    { due: { dueAt: at(30) }, recipient: { slowedUntil: at(600) } },
    'conversation-slowed',
    /spread out until in 10 min/,
  ],
  ['due later without a known reason', { due: { dueAt: at(30) } }, 'scheduled', /due in 30 s/],
  [
    'of a linked device, due later',
    { due: { dueAt: at(3_700) }, account: { provider: 'whatsapp-web', lane: 'whatsapp-web' } },
    'scheduled',
    /today’s limit of new contacts.*in 1 h 1 min/,
  ],
  ['to a recipient who opted out', { recipient: { optedOut: true } }, 'recipient-opted-out', /opted out/],
  [
    'of a paced account',
    { account: { perSecond: 5 }, ahead: { ofItsKind: 50 } },
    'account-pace',
    /at most 5 messages a second\. 50 messages of the account go first\. At this pace it leaves in 10 s/,
  ],
  [
    'of a paced account with more than are counted',
    { account: { perSecond: 5 }, ahead: { ofItsKind: 1_000 } },
    'account-pace',
    /At least 1,000 messages of the account go first\.$/,
  ],
  [
    'next of a paced account',
    { account: { perSecond: 0.5, pacedUntil: at(2) } },
    'account-pace',
    /It is the next one\. At this pace it leaves in 2 s/,
  ],
  [
    'of an account that rests',
    { account: { pacedUntil: at(2) } },
    'account-resting',
    /Sending resumes in 2 s/,
  ],
  ['behind others', { ahead: { ofItsKind: 1 } }, 'behind-others', /One message of the account goes first/],
  [
    'bulk behind singles',
    { due: { bulk: true }, message: { bulk: true }, ahead: { ofItsKind: 3, singles: 40 } },
    'behind-singles behind-others',
    /four of them go before each bulk message\. 40 single messages are due/,
  ],
  [
    'in the slow lane after failures',
    { account: { lane: 'slow', failuresInRow: 4 } },
    'due slow-lane',
    /last 4 attempts failed/,
  ],
  ['in the slow lane after a slow call', { account: { lane: 'slow' } }, 'due slow-lane', /longer than 2 s/],
  ['that has just become due', {}, 'due', /will be sent in a moment/],
  [
    'that nobody takes although a worker runs',
    { due: { dueAt: at(-40) } },
    'not-taken',
    /due for 40 s\..*the queue is away.*Running: dispatch-worker on mars \(pid 42\), seen 1 s ago/,
  ],
  [
    'that nobody takes because no worker runs',
    { due: { dueAt: at(-40) }, processes: [worker('dispatch-worker', 120), worker('api', 1)] },
    'not-taken',
    /No dispatch-worker is running: the last one, dispatch-worker on mars \(pid 42\), was seen 2 min ago/,
  ],
  [
    'of a device while no whatsapp-sessions runs',
    { due: { dueAt: at(-40) }, account: { lane: 'whatsapp-web', provider: 'whatsapp-web' } },
    'not-taken',
    /No whatsapp-sessions has been seen within the last hour/,
  ],
  [
    'behind others while no worker runs',
    { due: { dueAt: at(-40) }, ahead: { ofItsKind: 7 }, processes: [worker('dispatch-worker', 60)] },
    'not-taken behind-others',
    /No dispatch-worker is running/,
  ],
];

test.each(cases)('a message %s', (_, changes, codes, words) => {
  const { reasons } = explain(factsWith(changes));
  expect(reasons.map(({ code }) => code).join(' ')).toBe(codes);
  expect(
    reasons.map(({ text, detail }) => (detail === null ? text : `${text} ${detail}`)).join('\n'),
  ).toMatch(words);
});

function delivery(changes: {
  readonly state?: string;
  readonly reason?: string;
  readonly attempts?: number;
  readonly status?: number;
  readonly webhook?: Partial<WebhookFacts> | null;
  readonly waiting?: Partial<NonNullable<DeliveryFacts['waiting']>>;
}): DeliveryFacts {
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

const failing = { failureCount: 6, failingSince: at(-600), lastFailedStatus: 500 };

const deliveries: readonly [title: string, Parameters<typeof delivery>[0], code: string, words: RegExp][] = [
  [
    'given up',
    { state: 'failed', reason: 'attempts-exhausted', attempts: 9, status: 500 },
    'delivery-failed',
    /after 9 attempts \(HTTP 500\)/,
  ],
  ['expired', { state: 'failed', reason: 'expired' }, 'delivery-failed', /after 3 days/],
  ['skipped', { state: 'skipped' }, 'delivery-skipped', /was disabled/],
  ['of a removed webhook', { webhook: null }, 'webhook-removed', /was removed/],
  [
    'of a disabled webhook',
    { webhook: { isActive: false, disabledReason: 'The endpoint responded with 410 Gone.' } },
    'webhook-disabled',
    /disabled: The endpoint responded with 410 Gone\. It is skipped/,
  ],
  ['being posted', { waiting: { lease: lease(8) } }, 'posting', /being posted\. The lease is held by/],
  [
    'of a failing webhook',
    { webhook: { ...failing, pausedUntil: at(30) } },
    'webhook-failing',
    /failed 6 times in a row \(last: HTTP 500\).*first failure was 10 min ago \(14:53:53Z\)\. The next post is in 30 s/,
  ],
  ['of a paused webhook', { webhook: { pausedUntil: at(30) } }, 'webhook-paused', /Posting resumes in 30 s/],
  [
    'retried',
    { attempts: 2, status: 503, waiting: { dueAt: at(25) } },
    'post-retry',
    /Attempt 2 failed \(HTTP 503\).*due in 25 s/,
  ],
  [
    'behind others',
    { waiting: { ahead: 30 }, webhook: { atOnce: 1 } },
    'behind-other-deliveries',
    /30 deliveries go first.*at most 1 post at once/,
  ],
  [
    'that nobody takes',
    { waiting: { dueAt: at(-40) } },
    'post-not-taken',
    /due for 40 s\. Running: webhook-worker/,
  ],
  ['that has just become due', {}, 'post-due', /in a moment/],
];

test.each(deliveries)('a delivery %s', (_, changes, code, words) => {
  const reason = explain(factsWith({ deliveries: [delivery(changes)] })).deliveries.get(id)!;
  expect(reason.code).toBe(code);
  expect(`${reason.text} ${reason.detail ?? ''}`).toMatch(words);
});

test('the tenant learns of no process, host or other figure of the installation', () => {
  const processes = [worker('dispatch-worker', 60), worker('webhook-worker', 60)];
  const open = [delivery({ waiting: { lease: lease(8) } }), delivery({ waiting: { dueAt: at(-40) } })];
  const all = [
    ...cases.map(([, changes]) => factsWith({ ...changes, processes: changes.processes ?? processes })),
    ...open.map((one) => factsWith({ deliveries: [one], processes })),
  ];
  const told = all.flatMap((facts) => {
    const explanation = explain(facts);
    return [standingOf(facts, explanation), standingOfDelivery(facts, explanation, id)];
  });
  expect(told.filter((one) => one !== null).length).toBeGreaterThan(30);
  expect(JSON.stringify(told)).not.toMatch(
    /mars|42|dispatch-worker|webhook-worker|whatsapp-sessions|lease of|holder/,
  );
});

test('messages at their end, and received ones, have no standing', () => {
  const ends = [{ status: 'delivered' }, { status: 'failed' }, { received_at: now }] as const;
  for (const message of ends) {
    const facts = factsWith({ message, due: null });
    expect(standingOf(facts, explain(facts))).toBeNull();
  }
});

test('no reason repeats what a provider said of a recipient or a text', () => {
  const said = 'Cannot send "Your code is 4711" to +1 (555) 000-1000';
  const tellers: readonly Changes[] = [
    {
      message: { status: 'failed', error: said },
      attempts: [{ outcome: 'rejected', text: said }],
      due: null,
    },
    { message: { status: 'sent' }, attempts: [{ outcome: 'accepted', text: said }], due: null },
    { due: { dueAt: at(12), attempts: 1 }, attempts: [{ ...retried, text: said }] },
    { due: { dueAt: at(12) }, attempts: [{ outcome: 'throttled', text: said }] },
  ];
  for (const changes of tellers)
    expect(JSON.stringify(explain(factsWith(changes)).reasons)).not.toMatch(/4711|555/);
  for (const account of [{ pausedUntil: at(12) }, { held: true, status: 'action-required' as const }])
    expect(
      JSON.stringify(explain(factsWith({ account: { ...account, pauseReason: said } })).reasons),
    ).not.toMatch(/555/);
});

test('the words for the operator name no recipient, and carry nothing that drives a terminal', () => {
  const facts = factsWith({
    account: { name: 'Ma\u001b[31min', pausedUntil: at(12), pauseReason: 'Slow\u0007 down' },
    deliveries: [delivery({ webhook: { ...failing, pausedUntil: at(30) } })],
  });
  const text = wordsOf(facts, explain(facts));
  expect(text).not.toMatch(/5550001000/);
  // oxlint-disable-next-line no-control-regex
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(text.split('\n').every((line) => line.length <= 100)).toBe(true);
});

test('what holds up a webhook is told once for all its deliveries', () => {
  const open = ['message.queued', 'message.sent'].map((event, ahead) => {
    const one = delivery({ webhook: { ...failing, pausedUntil: at(30) }, waiting: { ahead } });
    return { ...one, delivery: { ...one.delivery, id: `${id}${ahead}`, event } } as DeliveryFacts;
  });
  const facts = factsWith({ deliveries: open });
  const text = wordsOf(facts, explain(facts)).replaceAll(/\s+/g, ' ');
  expect(text.match(/has failed 6 times/g)).toHaveLength(1);
  expect(text).toContain(`message.queued, message.sent to wh_${id}: The webhook has failed`);
});

import { events } from '../event.ts';

/** Turns of accounts and webhooks, and the wakes that ask for them. */
export const turnEvents = events({
  'turn-failed': {
    level: 'warn',
    msg: 'turn failed',
    means:
      'The turn stopped, and the next one follows. Claims of the turn are free again when their lease ends.',
    fields: ['err', 'kind', 'lane', 'id'],
    background: true,
  },
  'next-turn-left': {
    level: 'warn',
    msg: 'next turn left to the sweeper',
    means: 'The sweeper wakes it within a few seconds.',
    fields: ['err', 'kind', 'lane', 'id'],
    background: true,
  },
  'wake-left': {
    level: 'warn',
    msg: 'wake left to the sweeper',
    means: 'The queue is away. The sweeper repeats the wake.',
    fields: ['err'],
    optional: ['accountId'],
    background: true,
  },
  'turns-not-taken': {
    level: 'warn',
    msg: 'no turns are taken of a queue',
    means:
      'The store has answered no fetch for 8 s, although there was room for turns. If it answers a new connection, the worker is replaced. Logged once per absence.',
    fields: ['queue'],
    background: true,
  },
  'turn-worker-replaced': {
    level: 'warn',
    msg: 'the worker of a queue was replaced',
    means:
      'The store answered a new connection and not that of the worker. Its running turns go on to their end.',
    fields: ['queue'],
    background: true,
  },
  'turns-taken-again': {
    level: 'info',
    msg: 'turns of a queue are taken again',
    means: 'The end of `turns-not-taken`.',
    fields: ['queue'],
    background: true,
  },
  'lost-turns-woken': {
    level: 'warn',
    msg: 'turns that the queue had lost were woken anew',
    means:
      'The queue had lost a part of its data: it counted turns as waiting that no worker would have taken. A sweep has removed them and woken their accounts, webhooks or groups anew. Nothing is lost but time.',
    fields: ['kind', 'count'],
    background: true,
  },
  'turn-ended': {
    level: 'debug',
    msg: 'turn ended',
    means: 'A turn has ended. The next one is asked for if more is due.',
    fields: ['kind', 'lane', 'id', 'durationMs'],
  },
});

/** Sending messages. */
export const dispatchEvents = events({
  attempt: {
    level: 'info',
    msg: 'attempt',
    means:
      'An attempt to send a message has ended. `outcome` is what the provider did (accepted, throttled, retry, rejected, connection-broken, unknown), and `decision` what follows.',
    fields: [
      'messageId',
      'tenantId',
      'accountId',
      'provider',
      'attempt',
      'part',
      'outcome',
      'decision',
      'durationMs',
    ],
    optional: ['providerCode', 'traceId'],
    successes: { where: 'outcome', is: ['accepted'], by: ['messageId'] },
  },
  'messages-claimed': {
    level: 'debug',
    msg: 'messages claimed',
    means: 'A turn took messages for work.',
    fields: ['accountId', 'messageIds'],
  },
  'code-unreadable': {
    level: 'error',
    msg: 'a one-time code cannot be decrypted',
    means:
      'The key is not in `MASTER_KEYS`, or the stored value was changed. The message is tried again until it expires.',
    fields: ['err', 'messageId'],
  },
  'adapter-failed': {
    level: 'error',
    msg: 'adapter failed',
    means: 'A defect: the adapter threw. The outcome of the call is unknown.',
    fields: ['err', 'provider', 'messageId'],
  },
  'release-waits': {
    level: 'warn',
    msg: 'releasing messages waits for the database',
    means: 'Claimed messages are released when the database is back.',
    fields: ['err', 'messages'],
  },
  'settlement-waits': {
    level: 'warn',
    msg: 'settlement waits for the database',
    means:
      'Outcomes are kept in memory until the database is back. Past their lease another process may repeat an attempt.',
    fields: ['err'],
    optional: ['messages', 'deliveries'],
    background: true,
  },
  'default-not-taken': {
    level: 'warn',
    msg: 'an account that works did not become the default of its channel',
    means:
      'Its first message was accepted, but the database failed after that. Verify the account, or make it the default.',
    fields: ['err', 'accountId'],
    background: true,
  },
  'attempt-not-settled': {
    level: 'error',
    msg: 'attempt not settled',
    means: 'The end of the attempt is not recorded. After its lease, another claim takes the message over.',
    fields: ['err', 'messageId'],
  },
  'leases-lost': {
    level: 'warn',
    msg: 'leases were lost before their attempts ended',
    means:
      'Attempts took longer than their lease. Their outcome is stored as a receipt; the message may have been repeated.',
    fields: ['messageIds'],
  },
  'group-not-moved': {
    level: 'error',
    msg: 'a group could not be moved',
    means: 'The move was rolled back, and is tried again after 5 s.',
    fields: ['err', 'groupId'],
  },
  'account-unreadable': {
    level: 'error',
    msg: 'account settings cannot be opened',
    means: 'No master key opens the settings. The account fails until they are entered again.',
    fields: ['err', 'accountId', 'tenantId'],
  },
});

/** Delivery receipts. */
export const receiptEvents = events({
  'receipts-taken': {
    level: 'debug',
    msg: 'receipts taken',
    means:
      'Receipts arrived and were applied or stored. `waitingReceipts` of them came too early or could not be applied yet.',
    fields: ['received', 'waitingReceipts'],
    background: true,
  },
  'receipts-refused': {
    level: 'warn',
    msg: 'receipts cannot be applied and are stored',
    means: 'They are stored, and the sweeper postpones those that fail again.',
    fields: ['err'],
    background: true,
  },
  'receipts-left': {
    level: 'warn',
    msg: 'receipts left to the sweeper',
    means: 'The sweeper applies them within a few seconds.',
    fields: ['err'],
    background: true,
  },
  'receipt-not-applied': {
    level: 'error',
    msg: 'a receipt was not applied',
    means: 'A defect. The receipt is tried again later.',
    fields: ['err', 'receiptId'],
    background: true,
  },
  'receipt-waits': {
    level: 'warn',
    msg: 'a receipt waits for the database',
    means: 'A receipt of WhatsApp is stored when the database is back.',
    fields: ['err', 'accountId'],
  },
  'receipt-not-stored': {
    level: 'warn',
    msg: 'a receipt was not stored',
    means: 'The receipt is lost, and the status of its message may stay at sent.',
    fields: ['err', 'accountId'],
  },
});

/** Messages of contacts, and how they are received. */
export const inboundEvents = events({
  'inbound-stored': {
    level: 'info',
    msg: 'inbound messages stored',
    means: 'Messages of contacts are stored. `repeated` of them were known.',
    fields: ['accountId', 'inbound', 'repeated'],
  },
  'inbound-divided': {
    level: 'error',
    msg: 'inbound messages are stored one by one',
    means: 'The database refused a batch because of its data.',
    fields: ['err', 'accountId'],
  },
  'inbound-unstorable': {
    level: 'error',
    msg: 'an inbound message could not be stored; its content is lost',
    means: 'A defect. The message is stored without content.',
    fields: ['err', 'accountId'],
  },
  'inbound-retried': {
    level: 'warn',
    msg: 'inbound messages are stored again',
    means: 'The database was away or busy. Storing is tried again while the claim lasts.',
    fields: ['err', 'accountId'],
  },
  'buttons-not-acknowledged': {
    level: 'warn',
    msg: 'pressed buttons are not acknowledged',
    means: 'The contact sees a button as pending for longer.',
    fields: ['err', 'accountId'],
  },
  'updates-mode': {
    level: 'info',
    msg: 'updates',
    means: 'How the account receives messages has changed.',
    fields: ['provider', 'accountId', 'mode', 'detail'],
  },
  'updates-failed': {
    level: 'warn',
    msg: 'updates are not received',
    means: 'Another look follows.',
    fields: ['err', 'provider', 'accountId'],
  },
  'updates-claim-kept': {
    level: 'warn',
    msg: 'a claim is not renewed',
    means: 'Another process may take over receiving.',
    fields: ['err', 'accountId'],
  },
});

/** Lists of templates that providers keep. */
export const templateEvents = events({
  'templates-read': {
    level: 'info',
    msg: 'templates',
    means: 'The list of an account was read, or `detail` says why it was not.',
    fields: ['provider', 'accountId', 'durationMs'],
    optional: ['templates', 'stored', 'detail'],
  },
  'templates-failed': {
    level: 'warn',
    msg: 'templates are not synchronised',
    means: 'Reading or storing failed unexpectedly. Its lease ends, and it is tried again.',
    fields: ['err', 'provider', 'accountId'],
  },
  'templates-adapter-failed': {
    level: 'error',
    msg: 'adapter failed',
    means: 'A defect: the adapter threw while it read templates.',
    fields: ['err', 'provider', 'accountId'],
  },
});

/** Cleaning, sweeping and partitions. */
export const maintenanceEvents = events({
  maintenance: {
    level: 'info',
    msg: 'maintenance',
    means: 'Partitions were made and dropped, and expired rows removed.',
    fields: ['steps'],
    background: true,
  },
  'maintenance-step-failed': {
    level: 'error',
    msg: 'maintenance step failed; it will be tried again',
    means: 'The other steps still run.',
    fields: ['err', 'step'],
    background: true,
  },
  'sweep-step-failed': {
    level: 'warn',
    msg: 'a step of the sweep failed',
    means: 'The next sweep tries again.',
    fields: ['err'],
    background: true,
  },
  'texts-not-handed-on': {
    level: 'warn',
    msg: 'incomplete texts cannot be handed on',
    means: 'Long inbound texts whose pieces are incomplete stay stored. The next sweep tries again.',
    fields: ['err', 'count'],
    background: true,
  },
});

import { acceptGroup, type NewGroup } from '@notify/db/groups';
import { type AcceptItem, acceptMessages, acceptResend, type AcceptRules } from '@notify/db/messages';
import { findTemplates } from '@notify/db/templates';
import { startVerification } from '@notify/db/verifications';
import type { Page, Told } from './page.ts';
import { ids, recipient, traceparent } from './samples.ts';

const plain: AcceptItem = {
  tenantId: ids.tenant,
  keyId: ids.key,
  channel: 'sms',
  accountId: null,
  to: recipient,
  type: 'text',
  body: { text: 'Your table is free.' },
  bulk: false,
  expiresInSeconds: 86_400,
  idempotencyKey: null,
  requestHash: '9f86d081',
};

const rules: AcceptRules = { idempotencyDays: 7, blockExpiredTrials: false };

const group: NewGroup = {
  tenantId: ids.tenant,
  keyId: ids.key,
  idempotencyKey: null,
  requestHash: '9f86d081',
  routes: [
    {
      channel: 'whatsapp',
      accountId: null,
      to: recipient,
      type: 'text',
      body: { text: 'Your table is free.' },
    },
    { channel: 'sms', accountId: null, to: recipient, type: 'text', body: { text: 'Your table is free.' } },
  ],
  sendAt: null,
  expiresInSeconds: 86_400,
  advanceAfterSeconds: 60,
};

const acceptedRow = {
  ordinal: 0,
  outcome: 'accepted',
  id: ids.message,
  account_id: ids.account,
  accepted_at: new Date(0),
  earlier_recipient: null,
};

const acceptsGroup = [
  [/as group_id, a\.id/, { group_id: ids.group, account_id: ids.account, is_chosen: false }],
  [/with\s+senders/, acceptedRow],
  [/insert into message_groups/, { delay_ms: 60_000 }],
] as const;

const accepting: Told = {
  matches: /senders as materialized/,
  sentence: 'Accepts the messages of one group commit.',
  parts: {
    senders: 'finds the tenant, the key and the account of each sender, and what bars it.',
    looked: 'draws the ids of the messages, and looks their idempotency keys up.',
    taken: 'takes the keys that are new. If another commit is taking one, it waits for that commit.',
    outcomes: 'judges each item by what the parts above have found.',
    decided: 'adds the id of the event, and the text of an error.',
    made: 'leaves the items that get a row: accepted ones, and failed ones of a bulk call.',
    stored: 'writes the messages.',
    joined: 'finds the conversations with the recipients, which exist if they have written.',
    locked: 'locks these conversations.',
    placed:
      'says when a message is due whose conversation is slowed, because two machines may be answering each other.',
    linked: 'writes the messages into their conversations.',
    continued: 'counts them there.',
    due: 'writes the due rows, by which workers find the messages.',
    new_events: 'writes the event `message.queued` of each message.',
    new_deliveries: 'writes a delivery of the event for each webhook that is subscribed to it.',
  },
};

export const acceptPage: Page = {
  path: 'packages/db/src/messages/accept.md',
  title: 'The statements behind a 202',
  introduction: `The api answers 202 after the commit of what this page shows, as Postgres gets it. A plain send is one statement, which is its
own transaction. [accept.ts](accept.ts) builds it from the parts in [accept-statement.ts](accept-statement.ts). Requests that come at the same
time share it: each parameter then has an element for each of them. Before it, the api has looked the key up
to authenticate the request. After it, the api wakes the account and the webhooks.

How a worker takes the message is in [claim.md](../dispatch/claim.md), and what it writes in the end in
[settle.md](../dispatch/settle.md).`,
  told: [
    accepting,
    {
      matches: /from unnest\(.*\) with ordinality as q/s,
      sentence: 'Finds the account, and its templates of the name.',
    },
    { matches: /set resent_as/, sentence: 'Links the failed message with its successor.' },
    { matches: /set resend_of/, sentence: 'Links the successor with the failed message.' },
    {
      matches: /as group_id, a\.id/,
      sentence: 'Draws the id of the group, and finds the account of each route.',
    },
    { matches: /insert into message_groups/, sentence: 'Stores the group, and when to look at it next.' },
    {
      matches: /pg_advisory_xact_lock/,
      sentence: 'Lets starts to one recipient happen one after the other.',
    },
    { matches: /from idempotency_keys\s+where.*for key share/s, sentence: 'Looks the key of the start up.' },
    {
      matches: /as "keyWorks"/,
      sentence: 'Reads what decides about the start: limits, holds and earlier starts.',
    },
    { matches: /update verifications/, sentence: 'Ends a pending verification of the same recipient.' },
    { matches: /insert into verifications/, sentence: 'Stores the code, encrypted and as a keyed hash.' },
    { matches: /insert into idempotency_keys/, sentence: 'Ties the key to the verification.' },
    {
      matches: /insert into verification_counts/,
      sentence: 'Counts the start, unless its prefix has used this hour up.',
    },
  ],
  cases: [
    {
      heading: 'A plain send',
      text: '`POST /v1/notify/sms/text` with an API key, a recipient and a text.',
      run: (db) => acceptMessages(db, [plain], rules),
    },
    {
      heading: 'An idempotency key',
      text: 'The statement always looks for a key, so a key is only a value.',
      run: (db) => acceptMessages(db, [{ ...plain, idempotencyKey: 'order-7' }], rules),
    },
    {
      heading: 'One idempotency key twice in a group commit',
      text: 'The second statement finds the key of the first one.',
      run: (db) =>
        acceptMessages(
          db,
          [
            { ...plain, idempotencyKey: 'order-7' },
            { ...plain, idempotencyKey: 'order-7' },
          ],
          rules,
        ),
    },
    {
      heading: 'A chosen account',
      text: 'Without `channelAccountId`, the default of the channel sends.',
      run: (db) => acceptMessages(db, [{ ...plain, accountId: ids.account }], rules),
    },
    {
      heading: 'An answer',
      text: '`replyTo` names the message that it answers. The api has checked it.',
      run: (db) => acceptMessages(db, [{ ...plain, replyTo: ids.other }], rules),
    },
    {
      heading: 'A schedule',
      text: `With \`sendAt\`, a message that is due in more than a minute waits in \`scheduled_messages\`. The sweeper moves it to \`dispatch_due\`
when its time comes near.`,
      run: (db) => acceptMessages(db, [{ ...plain, sendAt: new Date('2026-01-31T12:00:00Z') }], rules),
    },
    {
      heading: 'An urgent message',
      text: '`urgent` is kept with the message: the claim reads it in quiet hours.',
      run: (db) => acceptMessages(db, [{ ...plain, urgent: true }], rules),
    },
    {
      heading: 'Metadata and tags',
      text: '`metadata` and `tags` are columns of the message, and fields of its events. Each tag has a row in `message_tags`, by which lists find the message.',
      run: (db) =>
        acceptMessages(
          db,
          [{ ...plain, labels: { metadata: { orderId: '4711' }, tags: ['shipping'] } }],
          rules,
        ),
    },
    {
      heading: 'A template',
      text: `The api looks the template up first, to check its parameters. The statement stores the body as that of any message. If the template
cannot be sent, the item says why.`,
      run: async (db) => {
        await findTemplates(db, [{ tenantId: ids.tenant, channel: 'sms', accountId: null, name: 'ready' }]);
        const preFailed = { errorCode: 'template-not-approved', text: 'The template is not approved' };
        await acceptMessages(db, [{ ...plain, type: 'template', preFailed }], rules);
      },
    },
    {
      heading: 'A bulk call',
      text: 'Its items are the elements of the parameters. One that cannot be sent is stored as failed, because the call as a whole succeeds.',
      run: (db) =>
        acceptMessages(
          db,
          [
            { ...plain, bulk: true },
            { ...plain, bulk: true, to: '+4915112345679' },
          ],
          rules,
        ),
    },
    {
      heading: 'A trace',
      text: 'The `traceparent` of the client is stored with the message and its event, if traces are on and the client sent one.',
      run: (db) => acceptMessages(db, [plain], { ...rules, traceparents: [traceparent] }),
    },
    {
      heading: 'A resend',
      text: '`POST /v1/messages/:id/resend` accepts a copy of a failed message, and links the two in the same transaction.',
      answers: [[/with\s+senders/, acceptedRow]],
      run: (db) => acceptResend(db, plain, { messageId: ids.other, possibleDuplicate: true }, rules),
    },
    {
      heading: 'A fallback group',
      text: 'Only the message of the first route is accepted now. The next ones are accepted when the group moves on.',
      answers: acceptsGroup,
      run: (db) => db.transaction().execute((trx) => acceptGroup(trx, group, rules)),
    },
    {
      heading: 'A one-time code',
      text: `A verification is a group whose text has a mask in place of the code. The group tells no events of itself, and its messages show the
idempotency key of the start.`,
      answers: [
        ...acceptsGroup,
        [
          /as "keyWorks"/,
          {
            id: ids.verification,
            keyWorks: true,
            expiresAt: new Date('2026-01-31T12:10:00Z'),
            repeatedId: null,
            recipientWaitSeconds: null,
            startsPerHour: null,
            startsThisHour: 0,
            heldSeconds: null,
            guarded: true,
            starts: 0,
            checked: 0,
            approved: 0,
          },
        ],
        [/insert into (?:idempotency_keys|verification_counts)/, {}],
      ],
      run: (db) =>
        startVerification(
          db,
          {
            tenantId: ids.tenant,
            keyId: ids.key,
            expiresInSeconds: 600,
            advanceAfterSeconds: 60,
            recipient: recipient.slice(1),
            shownRecipient: recipient,
            prefix: '49',
            sandbox: false,
            accountIds: [ids.account],
            keyAccountIds: null,
            requestKey: { key: 'login-7', requestHash: '9f86d081' },
            routes: [{ ...group.routes[1]!, body: { text: 'Your code is ••••••' } }],
          },
          { ...rules, startsPerHour: 100 },
          () => ({ sealed: '(sealed)', hash: Buffer.from('hash'), salt: Buffer.from('salt'), keyVersion: 1 }),
        ),
    },
  ],
};

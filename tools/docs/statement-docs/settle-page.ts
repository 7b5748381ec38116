import type { Decision, Outcome } from '@notify/core';
import { settleMessages, settleSent, type Settlement } from '@notify/db/dispatch';
import type { Case, Page } from './page.ts';
import type { Answers } from './record.ts';
import { ids, traceparent } from './samples.ts';

const sent: Settlement = {
  accountId: ids.account,
  settings: '(sealed)',
  messageId: ids.message,
  holder: ids.holder,
  attempts: 1,
  part: 0,
  parts: 1,
  cut: 'readable',
  segments: 1,
  outcome: { kind: 'accepted', externalId: 'SM42' },
  decision: { kind: 'sent' },
  attempted: true,
  tookMs: 120,
};

const message = {
  id: ids.message,
  channel_account_id: ids.account,
  external_id: null,
  status: 'queued',
  error_code: null,
  read: false,
  parts: 1,
  delivered_parts: [],
  emitted: ['queued'],
  group_id: null as string | null,
  traceparent: null as string | null,
};

function locked(one: Partial<typeof message> = {}, holder: string = ids.holder): Answers {
  return [
    [/^\s*select id, channel_account_id/, { ...message, ...one }],
    [/^\s*select message_id, claimed_by/, { message_id: ids.message, claimed_by: holder }],
    [/with written/, { webhooks: null, accounts: null, now: 0 }],
  ];
}

function ends(
  heading: string,
  text: string,
  outcome: Outcome,
  decision: Decision,
  more: Partial<Settlement> = {},
): Case {
  return {
    heading,
    text,
    answers: locked(),
    run: (db) => settleMessages(db, [{ ...sent, outcome, decision, ...more }]),
  };
}

const plainAnswer: Answers = [[/queued as materialized/, { messages: [ids.message], webhooks: null }]];
const refused = { errorCode: 'recipient-opted-out', text: 'The recipient has opted out' };

export const settlePage: Page = {
  path: 'packages/db/src/dispatch/settle.md',
  title: 'The statements of a settlement',
  introduction: `When a provider has answered, the worker writes what that means for the message, as Postgres gets it here. Attempts that
end at the same time in one process share the statements: each parameter has an element for each of them. A plain success is one statement,
which [settle-sent.ts](settle-sent.ts) builds. Everything else is a transaction of [settle.ts](settle.ts). Its statements are
sent without waiting for each other, except where one needs the rows of another. An attempt is settled only while its lease is held.

The lease comes from what [claim.md](claim.md) shows.`,
  told: [
    {
      matches: /queued as materialized/,
      sentence: 'Settles plain successes.',
      parts: {
        queued: 'locks the messages that no receipt has changed and that are of no group.',
        leased: 'locks their due rows.',
        held: 'leaves those whose lease is still held, of accounts that a success does not change.',
        sent: 'writes the messages.',
        gone: 'removes the due rows.',
        recorded: 'writes the attempts.',
        new_events: 'writes the event `message.sent` of each message.',
        new_deliveries: 'writes a delivery of the event for each webhook that is subscribed to it.',
      },
    },
    { matches: /^\s*select id, channel_account_id/, sentence: 'Locks the messages, in id order.' },
    {
      matches: /^\s*select message_id, claimed_by/,
      sentence: 'Locks the due rows, and reads who holds them.',
    },
    {
      matches: /written as/,
      sentence: 'Writes the messages.',
      parts: {
        written: 'writes status, times and figures.',
        new_events: 'writes the events of the changes.',
        new_deliveries: 'writes a delivery of each event for each webhook that is subscribed to it.',
      },
    },
    { matches: /insert into attempts/, sentence: 'Writes the attempts.' },
    {
      matches: /delete from dispatch_due/,
      sentence: 'Removes the due rows of messages that have nothing left to send.',
    },
    { matches: /update dispatch_due/, sentence: 'Says when the messages are due again.' },
    {
      matches: /update channel_accounts/,
      sentence: 'Writes what the attempts mean for their accounts, if that changes anything.',
    },
    {
      matches: /insert into receipts \(account_id, message_id, status/,
      sentence: 'Stores the receipts that the provider gave in advance.',
    },
    {
      matches: /insert into receipts/,
      sentence: 'Stores the acceptance as a receipt, because it is certain.',
    },
    { matches: /insert into group_due/, sentence: 'Has the group of the message looked at.' },
    {
      matches: /from messages m join channel_accounts a/,
      sentence: 'Finds the recipients who have not opted in since the attempt began.',
    },
  ],
  cases: [
    {
      heading: 'A plain success',
      text: 'The provider accepted a message of one part at once. Most attempts end like this.',
      answers: plainAnswer,
      run: (db) => settleSent(db, [sent]),
    },
    {
      heading: 'A plain success with traces',
      text: 'If traces are on, the event gets the `traceparent` of the sender.',
      answers: plainAnswer,
      run: (db) => settleSent(db, [sent], true),
    },
    ends(
      'A success that changes its account',
      'An account that was just connected, or that failed before, is settled by the transaction.',
      sent.outcome,
      sent.decision,
    ),
    {
      heading: 'A success in a transaction with traces',
      text: 'The `traceparent` goes from the message to its events.',
      answers: locked({ traceparent }),
      run: (db) => settleMessages(db, [sent], true),
    },
    {
      heading: 'A success in a group',
      text: 'The groups of the messages are looked at, and may end.',
      answers: locked({ group_id: ids.group }),
      run: (db) => settleMessages(db, [sent]),
    },
    ends(
      'A retry',
      'The provider could not be reached. The message is due again after a while.',
      { kind: 'retry', errorCode: 'provider-unavailable', text: '503', providerCode: '503' },
      { kind: 'retry', afterMs: 4_000 },
    ),
    ends(
      'A throttled account',
      'No attempt is used, and the account pauses.',
      { kind: 'throttled', afterMs: 30_000, scope: 'account', text: '429' },
      { kind: 'pause-account', afterMs: 30_000, text: '429' },
    ),
    ends(
      'A broken account',
      'The provider refuses the settings. The account sends nothing until its tenant acts.',
      { kind: 'connection-broken', text: 'Authentication failed' },
      { kind: 'break-account', text: 'Authentication failed' },
    ),
    ends(
      'A failure',
      'The provider refused the message for good.',
      { kind: 'rejected', errorCode: 'invalid-recipient', text: 'Not a number', providerCode: '21211' },
      { kind: 'failed', errorCode: 'invalid-recipient', text: 'Not a number' },
    ),
    ends(
      'An opt-out at the provider',
      'The failure also records the opt-out, if the recipient has not opted in since.',
      { kind: 'rejected', ...refused },
      { kind: 'failed', ...refused },
    ),
    ends(
      'A part of a long text',
      'The next part is due at once.',
      sent.outcome,
      { kind: 'next-part' },
      { parts: 3 },
    ),
    ends(
      'An unknown outcome',
      'No answer came. The message waits for a receipt, which may still tell.',
      { kind: 'unknown', text: 'No answer within 10 s' },
      { kind: 'await-receipt', afterMs: 60_000 },
    ),
    ends(
      'Another try after an unknown outcome',
      'No receipt came. The message is sent again, and says that it may be a duplicate.',
      { kind: 'unknown', text: 'No receipt came' },
      { kind: 'resend', afterMs: 0, possibleDuplicate: true },
      { attempted: false, tookMs: null },
    ),
    ends(
      'Receipts in advance',
      'The provider said with the acceptance what will become of the message.',
      { kind: 'accepted', externalId: 'SM42', receipts: [{ status: 'delivered', afterMs: 2_000 }] },
      sent.decision,
    ),
    {
      heading: 'A lease that was lost',
      text: 'Another turn has the message by now. Only an acceptance counts.',
      answers: locked({}, ids.other),
      run: (db) => settleMessages(db, [sent]),
    },
  ],
};

import {
  claimMessages,
  type ClaimTerms,
  nextDue,
  postponeMessages,
  releaseMessages,
  giveRecipientTimes,
} from '@notify/db/dispatch';
import type { Page } from './page.ts';
import { ids, recipient } from './samples.ts';

const wanted = new Map([[ids.account, { limit: 10, singlesSinceBulk: 0 }]]);
const terms: ClaimTerms = { lane: 'fast', leaseMs: { twilio: { text: 15_000, media: 210_000 } } };

const claimedRow = {
  account_id: ids.account,
  message_id: ids.message,
  recipient,
  moved_to: null,
  state: 'call',
  has_slot: false,
  channel: 'sms',
};

export const claimPage: Page = {
  path: 'packages/db/src/dispatch/claim.md',
  title: 'The statements of a claim',
  introduction: `A turn of an account takes its due messages for work by one statement, which is its own transaction, as Postgres gets it here.
[claim-messages.ts](claim-messages.ts) builds it. Turns that claim at the same time in one process and lane share it: each parameter
with \`[]\` then has an element for each of them. After its commit, the messages are leased to this process, and their attempt has begun. So
a worker that dies now leaves rows whose lease ends, and the next claim takes them over.

The rows come from what [accept.md](../messages/accept.md) shows. How an attempt ends is in [settle.md](settle.md).`,
  told: [
    {
      matches: /picked as/,
      sentence: 'Claims due messages.',
      parts: {
        wanted: 'has the accounts whose turns claim.',
        paced_account:
          'locks those that have a pace and may send now. If another claim holds the lock, the account yields nothing.',
        account:
          'has all accounts that may send now, with how many messages each may send: not paused, not blocked, not removed, and no hold of all sends (`sends_hold`).',
        picked:
          'locks due messages, oldest first. If singles and bulk messages wait, every fifth one is a bulk message.',
        content: 'reads the messages.',
        quoted: 'reads the messages that they answer.',
        claimed:
          'leases the due rows, and records their attempt as begun. A row with an old lease says that its attempt began and never ended.',
        taken: 'counts them by account.',
        paced: 'says when a paced account may send again.',
      },
    },
    {
      matches: /insert into recipient_slots/,
      sentence:
        'Gives each message the next free time of its recipient, and gives back those whose time comes later.',
    },
    {
      matches: /quiet_until = mine\.until/,
      sentence: 'Gives messages back until the quiet hours end, and lengthens their life by as much.',
    },
    { matches: /released as/, sentence: 'Gives messages back, so that their attempt does not count.' },
    { matches: /as delay_ms\s+from channel_accounts/, sentence: 'Says when each account next has work.' },
  ],
  cases: [
    {
      heading: 'A claim',
      text: 'Pace, pauses, holds, opt-outs, quotes and moved recipients are always part of it: an option of an account changes no text.',
      run: (db) => claimMessages(db, wanted, terms),
    },
    {
      heading: 'With traces',
      text: 'If traces are on, it also reads the `traceparent` of the sender.',
      run: (db) => claimMessages(db, wanted, { ...terms, traced: true }),
    },
    {
      heading: 'A pace per recipient',
      text: 'An account whose provider wants messages to one recipient apart gives what it has claimed their times.',
      answers: [[/picked as/, claimedRow]],
      run: async (db) => {
        const claims = await claimMessages(db, wanted, terms);
        await giveRecipientTimes(db, claims.get(ids.account)!, 1_000);
      },
    },
    {
      heading: 'Quiet hours',
      text: 'A message that is not urgent waits for the end of the quiet hours of its account.',
      answers: [[/quiet_until/, { count: 1 }]],
      run: (db) =>
        postponeMessages(db, [
          { messageId: ids.message, holder: ids.holder, until: 1_769_842_800_000, since: 1_769_810_400_000 },
        ]),
    },
    {
      heading: 'A release',
      text: 'A turn that ends before it called the provider gives its messages back.',
      run: (db) => releaseMessages(db, [{ messageId: ids.message, holder: ids.holder }]),
    },
    {
      heading: 'A release after which claims skip the account',
      text: 'If a file has to wait for its permit, the next claim would take the same message again.',
      run: (db) => releaseMessages(db, [{ messageId: ids.message, holder: ids.holder }], 5_000),
    },
    {
      heading: 'The next turn',
      text: 'When nothing is left to claim, the turn asks when the next one is due, and plans it.',
      run: (db) => nextDue(db, [ids.account]),
    },
  ],
};

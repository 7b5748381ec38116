import { events } from '../event.ts';

/** Requests. */
export const apiEvents = events({
  request: {
    level: 'info',
    msg: 'request',
    means:
      'A request is over. The line of a send names its message, or how many messages a bulk call accepted.',
    fields: ['method', 'route', 'status', 'durationMs'],
    optional: ['tenantId', 'aborted', 'messageId', 'messages', 'traceId'],
    successes: { where: 'status', is: { least: 200, below: 400 }, by: ['messageId', 'requestId'] },
  },
  'request-failed': {
    level: 'error',
    msg: 'request failed',
    means: 'A defect: an unexpected error. The caller got 500.',
    fields: ['err', 'route'],
  },
  'database-away': {
    level: 'warn',
    msg: 'database away',
    means: 'The caller got 503 and may try again.',
    fields: ['err', 'route'],
  },
  'refusing-begun': {
    level: 'warn',
    msg: 'too much is asked: requests are refused',
    means:
      'Requests get 503 before anything is done for them. `kind` is the class of the first. Logged once, until nothing has been refused for 5 s.',
    fields: ['kind'],
    background: true,
  },
  'refusing-ended': {
    level: 'info',
    msg: 'requests are no longer refused',
    means: 'For 5 s every request has had a place. `count` requests were refused.',
    fields: ['durationMs', 'count'],
    background: true,
  },
  'rate-store-away': {
    level: 'warn',
    msg: 'rate limits: Redis is away, each process counts for itself',
    means: 'Rate limits are looser while Redis is away. Logged once per absence.',
    fields: ['err'],
    background: true,
  },
  'file-broke-off': {
    level: 'warn',
    msg: 'a file broke off',
    means: 'The file of an inbound message ended early, or had another length than the provider told.',
    fields: ['err', 'messageId'],
  },
  'events-unreadable': {
    level: 'warn',
    msg: 'events cannot be read; the next poll will try again',
    means: 'Event streams are late. Logged once until a poll succeeds.',
    fields: ['err'],
    background: true,
  },
  'links-unreadable': {
    level: 'warn',
    msg: 'links cannot be read; the next check will try again',
    means: 'Streams of linking devices are late. Logged once until a check succeeds.',
    fields: ['err'],
    background: true,
  },
  'key-use-not-stored': {
    level: 'warn',
    msg: 'last use of a key was not stored',
    means: 'The last use that the dashboard shows may be old.',
    fields: ['err'],
  },
  'token-use-not-stored': {
    level: 'warn',
    msg: 'last use of a service token was not stored',
    means: 'The last use that the dashboard shows may be old.',
    fields: ['err'],
  },
  'updates-not-asked': {
    level: 'warn',
    msg: 'messages are not received soon',
    means: 'A new account receives its messages with the next regular look.',
    fields: ['err', 'accountId'],
  },
  'templates-not-asked': {
    level: 'warn',
    msg: 'templates are not read soon',
    means: 'The templates of the account are read with the next regular look.',
    fields: ['err', 'accountId'],
  },
  'templates-not-refreshed': {
    level: 'warn',
    msg: 'templates are not refreshed',
    means: 'A send named an unknown template, and the list could not be asked for again.',
    fields: ['err', 'accountId'],
  },
});

/** Accepting messages. */
export const acceptEvents = events({
  'wake-failed': {
    level: 'warn',
    msg: 'wake failed',
    means: 'The queue is away. The sweeper repeats the wake, so the message is up to a few seconds late.',
    fields: ['err', 'kind'],
    optional: ['id'],
    background: true,
  },
  'wakes-sent': {
    level: 'debug',
    msg: 'wakes sent',
    means: 'Turns of accounts or webhooks were asked for, after a commit.',
    fields: ['kind', 'wakes'],
    optional: ['id'],
    background: true,
  },
  'messages-accepted': {
    level: 'debug',
    msg: 'messages accepted',
    means: 'A bulk call accepted these messages.',
    fields: ['messageIds'],
  },
});

/** Mails to tenants: links to set a password or to confirm an address. */
export const mailEvents = events({
  'mail-sent': {
    level: 'info',
    msg: 'mail sent',
    means: 'The mail server took the mail.',
    fields: ['kind', 'tenantId', 'attempt'],
  },
  'mail-retried': {
    level: 'warn',
    msg: 'mail not sent, will try again',
    means: 'The mail server did not take the mail. The next attempt is in `waitMs`.',
    fields: ['kind', 'tenantId', 'attempt', 'err', 'smtpStatus', 'waitMs'],
  },
  'mail-given-up': {
    level: 'error',
    msg: 'mail given up',
    means: 'The mail will not be sent. The tenant can ask for another one.',
    fields: ['err'],
    optional: ['kind', 'tenantId', 'attempt', 'smtpStatus'],
  },
  'mail-given-up-at-end': {
    level: 'error',
    msg: 'mail given up: the process ends',
    means: 'The mail waited for the mail server, or for the database, when the process ended.',
    fields: [],
    optional: ['kind', 'tenantId'],
  },
  'mail-given-up-full': {
    level: 'error',
    msg: 'mail given up: too many mails wait',
    means: 'The mail server has been away for long.',
    fields: ['kind', 'tenantId', 'waiting'],
  },
  'mail-given-up-busy': {
    level: 'error',
    msg: 'mail given up: too many requests for links',
    means: 'Too many requests for links are in progress.',
    fields: [],
  },
  'mail-unknown': {
    level: 'error',
    msg: 'mail in progress when the process ended: it may have been sent',
    means: 'The mail server had not answered.',
    fields: ['kind', 'tenantId'],
  },
  'mail-left-out': {
    level: 'warn',
    msg: 'mail left out: this mailbox has had enough for an hour',
    means: 'Three mails of a kind go to a mailbox in an hour.',
    fields: ['kind', 'tenantId'],
  },
  'password-forgotten': {
    level: 'info',
    msg: 'a tenant forgot its password: npm run notify -- password-link prints a link',
    means: 'There is no mail server, so an operator has to help.',
    fields: ['tenantId'],
  },
});

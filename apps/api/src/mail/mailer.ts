import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@notify/runtime';
import { createTransport } from 'nodemailer';

/** A mail in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Names the mail in the log, without its address. */
  readonly about: { readonly kind: string; readonly tenantId: string };
}

/** Sends mails in the background. Every mail ends with a line in the log: sent, or why not. */
export interface Mailer {
  /** Takes the mail, and answers at once. */
  send(mail: Mail): void;
  /** Waits for the attempts in progress. Mails that wait for another attempt are given up. */
  close(): Promise<void>;
}

export interface MailerOptions {
  /** `smtp://` or `smtps://`. */
  readonly url: string;
  readonly from: string;
  readonly log: Log;
  /** The waits before the second attempt, the third and so on, in ms. */
  readonly waitsMs?: readonly number[];
  /** How long the server may take for one attempt, in ms. */
  readonly attemptWithinMs?: number;
  /** The most mails that wait for their first attempt, and as many that wait for another one. */
  readonly maxWaiting?: number;
}

const defaultWaitsMs = [5_000, 30_000, 120_000];
const defaultAttemptWithinMs = 20_000;
const defaultMaxWaiting = 1_000;
/** A mail, and the number of its next attempt. */
interface Due {
  readonly mail: Mail;
  readonly attempt: number;
}

/** Attempts in progress at once, each over its own connection. */
const maxAtOnce = 4;
/** How long `close` waits for the attempts in progress, in ms. A process has 2 s after its last request. */
const closeWithinMs = 1_000;

/** Opens a mailer for this server. It connects with the first mail. */
export function openMailer(options: MailerOptions): Mailer {
  const { log, waitsMs = defaultWaitsMs, maxWaiting = defaultMaxWaiting } = options;
  const closing = new AbortController();
  const underWay = new Map<Promise<void>, Mail>();
  /** First attempts, and those that are due again. The former go first: mails that fail hold up no others. */
  const [first, again]: [Due[], Due[]] = [[], []];
  /** Between two attempts. They hold no connection meanwhile. */
  const resting = new Map<Due, NodeJS.Timeout>();

  async function attemptOnce({ mail, attempt }: Due): Promise<void> {
    const failure = await attemptToSend(mail, options);
    if (failure === null) return log.tell('mail-sent', { ...mail.about, attempt });
    const waitMs = isPassing(failure) ? waitsMs[attempt - 1] : undefined;
    const told = { ...mail.about, attempt, err: failure, smtpStatus: statusOf(failure) };
    if (waitMs === undefined || closing.signal.aborted || resting.size + again.length >= maxWaiting)
      return log.tell('mail-given-up', told);
    log.tell('mail-retried', { ...told, waitMs });
    rest({ mail, attempt: attempt + 1 }, waitMs);
  }

  function rest(due: Due, waitMs: number): void {
    const timer = setTimeout(() => {
      resting.delete(due);
      again.push(due);
      begin();
    }, waitMs);
    resting.set(due, timer);
  }

  function begin(): void {
    while (underWay.size < maxAtOnce) {
      const due = first.shift() ?? again.shift();
      if (due === undefined) return;
      const attempting = attemptOnce(due).finally(() => {
        underWay.delete(attempting);
        begin();
      });
      underWay.set(attempting, due.mail);
    }
  }

  return {
    send(mail) {
      const waiting = first.length;
      if (closing.signal.aborted || waiting >= maxWaiting)
        return log.tell('mail-given-up-full', { ...mail.about, waiting });
      first.push({ mail, attempt: 1 });
      begin();
    },
    async close() {
      closing.abort();
      for (const timer of resting.values()) clearTimeout(timer);
      const left = [...first.splice(0), ...again.splice(0), ...resting.keys()];
      resting.clear();
      for (const { mail } of left) log.tell('mail-given-up-at-end', mail.about);
      await Promise.race([Promise.all(underWay.keys()), delay(closeWithinMs, undefined, { ref: false })]);
      for (const { about } of underWay.values()) log.tell('mail-unknown', about);
    },
  };
}

/** Sends once. Resolves to the failure, or null. */
async function attemptToSend(
  { to, subject, text }: Mail,
  { url, from, attemptWithinMs = defaultAttemptWithinMs }: MailerOptions,
): Promise<Error | null> {
  const timeouts = {
    dnsTimeout: attemptWithinMs,
    connectionTimeout: attemptWithinMs,
    greetingTimeout: attemptWithinMs,
    socketTimeout: attemptWithinMs,
  };
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  const ended = new AbortController();
  const tooSlow = delay(attemptWithinMs, new Error('the mail server is too slow'), { signal: ended.signal });
  try {
    const sending = transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    return await Promise.race([sending.then(() => null), tooSlow]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    ended.abort();
    transport.close();
  }
}

/** Whether another attempt may succeed: the server was away, or refused for now (RFC 5321, 4.2.1). */
function isPassing(failure: Error): boolean {
  const status = statusOf(failure);
  return status === null || status < 500;
}

/** The server's answer, such as 550. Null if it gave none. */
function statusOf(failure: Error): number | null {
  const { responseCode } = failure as Error & { readonly responseCode?: unknown };
  return typeof responseCode === 'number' ? responseCode : null;
}

import { setTimeout as delay } from 'node:timers/promises';
import { createLog, type Log } from '@notify/runtime';
import { freePort, type SmtpReceiver, startSmtpReceiver } from '@notify/testkit';
import { type Mailer, openMailer } from '../src/mail/mailer.ts';

/** A line of the log. */
interface Line {
  readonly msg: string;
  readonly level: string;
  readonly attempt?: number;
  readonly smtpStatus?: number | null;
}

/** A log that resolves `line` with the first line whose message begins so. */
function openLog(): { readonly log: Log; readonly lines: Line[]; line(begin: string): Promise<Line> } {
  const lines: Line[] = [];
  const waiting: { begin: string; resolve: (line: Line) => void }[] = [];
  const destination = {
    write(text: string) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      for (const { begin, resolve } of waiting) if (line.msg.startsWith(begin)) resolve(line);
    },
  };
  return {
    log: createLog({ logLevel: 'info' }, 'api', destination),
    lines,
    line: (begin) =>
      new Promise((resolve) => {
        const known = lines.find(({ msg }) => msg.startsWith(begin));
        if (known === undefined) waiting.push({ begin, resolve });
        else resolve(known);
      }),
  };
}

const mail = {
  to: 'ada@example.com',
  subject: 'Hello',
  text: `A line.\n\nhttps://notify.example.com/reset-password#lnk_${'x'.repeat(43)}\n\n.\nEnd ☀\n`,
  about: { kind: 'password', tenantId: 'ten' },
};

let seen: ReturnType<typeof openLog>;
let receiver: SmtpReceiver;
const mailers: Mailer[] = [];

beforeEach(async () => {
  seen = openLog();
  receiver = await startSmtpReceiver();
});
afterEach(async () => {
  for (const mailer of mailers.splice(0)) await mailer.close();
  await receiver.close();
});

function open(url = receiver.url, more: object = {}): Mailer {
  const from = 'Notify <no-reply@example.com>';
  const mailer = openMailer({ url, from, log: seen.log, waitsMs: [20, 20], ...more });
  mailers.push(mailer);
  return mailer;
}

describe('failures', () => {
  test('a server that is away is tried again, and gets the mail when it is back', async () => {
    const port = await freePort();
    const mailer = open(`smtp://127.0.0.1:${port}`, { waitsMs: Array(500).fill(20) });
    mailer.send(mail);
    await seen.line('mail not sent');
    await using back = await startSmtpReceiver(port);
    const { to } = await back.next(mail.to);
    expect(to).toEqual([mail.to]);
    expect(await seen.line('mail sent')).toMatchObject({ level: 'info' });
  });

  test('a server that stays away: a bounded number of attempts, and a line in the log', async () => {
    open(`smtp://127.0.0.1:${await freePort()}`).send(mail);
    expect(await seen.line('mail given up')).toMatchObject({ level: 'error', attempt: 3 });
    expect(seen.lines.filter(({ msg }) => msg.startsWith('mail not sent'))).toHaveLength(2);
  });

  test('a refused recipient is not tried again', async () => {
    receiver.behave({ rcpt: '550 5.1.1 No such user' });
    open().send(mail);
    expect(await seen.line('mail given up')).toMatchObject({ attempt: 1, smtpStatus: 550 });
    expect(receiver.mails).toEqual([]);
  });

  test('a refusal for now is', async () => {
    receiver.behave({ rcpt: '451 4.7.1 Greylisted' });
    open(receiver.url, { waitsMs: [20, 20, 20, 20, 20, 20, 20, 20, 20, 20] }).send(mail);
    expect(await seen.line('mail not sent')).toMatchObject({ smtpStatus: 451 });
    receiver.behave({});
    await receiver.next(mail.to);
  });

  test('mails that are refused for now hold up no others', async () => {
    receiver.behave({ rcpt: '451 4.7.1 Greylisted' });
    const mailer = open(receiver.url, { waitsMs: [60_000] });
    for (let count = 0; count < 20; count += 1) mailer.send({ ...mail, to: `${count}@slow.example` });
    while (seen.lines.length < 20) await new Promise(setImmediate);
    receiver.behave({});
    mailer.send(mail);
    expect(await receiver.next(mail.to)).toMatchObject({ to: [mail.to] });
  });

  test('a server that refuses the content for good ends it', async () => {
    receiver.behave({ data: '554 5.7.1 No' });
    open().send(mail);
    expect(await seen.line('mail given up')).toMatchObject({ attempt: 1, smtpStatus: 554 });
  });

  test('a server that never greets holds up one attempt for a bounded time', async () => {
    receiver.behave({ mute: true });
    open(receiver.url, { attemptWithinMs: 100, waitsMs: [] }).send(mail);
    expect(await seen.line('mail given up')).toMatchObject({ attempt: 1 });
  });

  test('so does one that is slow at every step', async () => {
    receiver.behave({ delayMs: 80 });
    open(receiver.url, { attemptWithinMs: 200, waitsMs: [] }).send(mail);
    expect(await seen.line('mail given up')).toMatchObject({ attempt: 1 });
  });

  test('mails above the bound are given up, with a line in the log', async () => {
    receiver.behave({ mute: true });
    const mailer = open(receiver.url, { maxWaiting: 1, waitsMs: [], attemptWithinMs: 300 });
    for (let count = 0; count < 6; count += 1) mailer.send(mail);
    expect(await seen.line('mail given up: too many')).toMatchObject({ level: 'error' });
  });

  test('however many mails are due again, new ones are taken', async () => {
    receiver.behave({ rcpt: '451 4.7.1 Greylisted' });
    const restMs = 500;
    const mailer = open(receiver.url, { maxWaiting: 2, waitsMs: [restMs] });
    for (let count = 0; count < 2; count += 1) mailer.send(mail);
    while (seen.lines.length < 2) await new Promise(setImmediate);
    receiver.behave({ mute: true });
    for (let count = 0; count < 4; count += 1) mailer.send(mail);
    // Ends after the rest of those two, which began before. They are due now, and all connections are in use.
    await delay(restMs);
    for (let count = 0; count < 3; count += 1) mailer.send(mail);
    expect(seen.lines.filter(({ msg }) => msg.startsWith('mail given up: too many'))).toHaveLength(1);
  });

  test('a closing process gives up what waits, and says so', async () => {
    const mailer = open(`smtp://127.0.0.1:${await freePort()}`, { waitsMs: [60_000] });
    mailer.send(mail);
    await seen.line('mail not sent');
    await mailer.close();
    expect(seen.lines.at(-1)).toMatchObject({ level: 'error', msg: 'mail given up: the process ends' });
  });

  test('it waits a moment for an attempt in progress, and says what it left', async () => {
    receiver.behave({ mute: true });
    const mailer = open(receiver.url, { attemptWithinMs: 60_000 });
    mailer.send(mail);
    // Timers of one process end in their order, however busy the machine is. A process has 2 s for its end.
    const late = delay(1_900, 'late', { ref: false });
    expect(await Promise.race([mailer.close(), late])).toBeUndefined();
    expect(seen.lines.at(-1)).toMatchObject({
      level: 'error',
      msg: expect.stringMatching(/^mail in progress/),
    });
  });

  test('no line shows the token of a link', async () => {
    open(`smtp://127.0.0.1:${await freePort()}`, { waitsMs: [] }).send(mail);
    await seen.line('mail given up');
    expect(JSON.stringify(seen.lines)).not.toContain('lnk_xxx');
  });
});

test('a mail arrives as it was written, from the sender, at one recipient', async () => {
  open().send(mail);
  const received = await receiver.next(mail.to);
  expect(received).toMatchObject({ from: 'no-reply@example.com', to: [mail.to], subject: 'Hello' });
  expect(received.text.replaceAll('\r\n', '\n').trimEnd()).toBe(mail.text.trimEnd());
  expect(received.raw).toMatch(/^From: Notify <no-reply@example\.com>$/m);
  expect(await seen.line('mail sent')).toMatchObject({ attempt: 1, kind: 'password', tenantId: 'ten' });
});

test('an address is one recipient, whatever it looks like', async () => {
  const to = '"a, b@c.example"@example.com';
  open().send({ ...mail, to });
  expect((await receiver.next(to)).to).toEqual([to]);
});

test('user and password of the URL log in', async () => {
  open(receiver.url.replace('//', '//mailer:s%40cret@')).send(mail);
  await receiver.next(mail.to);
  expect(receiver.logins).toEqual(['mailer:s@cret']);
});

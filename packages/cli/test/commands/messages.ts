import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { Harness } from '../harness.ts';

export interface Message {
  readonly id: string;
  readonly messageId: string;
  readonly status: string;
  readonly body: Record<string, unknown>;
  readonly scheduledAt: string | null;
}

const delivered = '+15550001000';
const refused = '+15550000001';
const unanswered = '+15550000003';

export function messageTests(harness: () => Harness): void {
  const send = (...more: string[]) => harness().run(['send', '--channel', 'sms', '--to', ...more]);

  it('sends a text and waits until it has arrived', async () => {
    const { run } = harness();
    const [queued, arrived, failed] = await Promise.all([
      send(delivered, '--text', 'hello', '--json'),
      send(delivered, '--text', 'hello', '--wait', 'delivered', '--json'),
      send(refused, '--text', 'hello', '--wait'),
    ]);
    expect(JSON.parse(queued.stdout)).toMatchObject({ status: 'queued', body: { text: 'hello' } });
    expect(arrived).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('waiting until it is delivered'),
    });
    expect(JSON.parse(arrived.stdout)).toMatchObject({ status: 'delivered', timeline: expect.any(Array) });
    for (const { stdout } of [queued, arrived]) {
      const { id, messageId } = JSON.parse(stdout) as Message;
      expect([id, messageId]).toEqual([expect.stringMatching(/^msg_/), id]);
    }
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('recipient-rejected') });
    const shown = await run(['messages', 'show', (JSON.parse(arrived.stdout) as Message).messageId]);
    expect(shown.stdout).toMatch(/Status +delivered[^]*message\.delivered/);
  });

  it('sends with tags and metadata, and finds and cancels by a tag', async () => {
    const { run, json } = harness();
    const [tag, other] = [randomUUID(), randomUUID()];
    const more = ['--text', 'tagged', '--at', '3h', '--tag', `${tag},${other}`, '--metadata', 'order=4=7'];
    const { stdout } = await send(delivered, ...more, '--json');
    const { id } = JSON.parse(stdout) as Message;
    expect(JSON.parse(stdout)).toMatchObject({ tags: [tag, other], metadata: { order: '4=7' } });
    const shown = await run(['messages', 'show', id]);
    expect(shown.stdout).toMatch(new RegExp(`Tags +${tag}, ${other}[^]*Metadata +order=4=7`));
    expect((await json<{ data: Message[] }>('messages', 'list', '--tag', tag)).data).toMatchObject([{ id }]);
    const event = JSON.stringify(await json('events', 'list', '--tag', tag));
    expect(event).toContain(id);
    expect(await json('messages', 'cancel-many', '--tag', other, '--yes')).toMatchObject({ canceled: 1 });
    expect(await json('usage', '--tag', tag)).toMatchObject({ per: 'hour' });
    expect(await send(delivered, '--text', 'x', '--metadata', 'order')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--metadata must be name=value'),
    });
  });

  it('stops waiting after the timeout', async () => {
    const ran = await send(unanswered, '--text', 'hello', '--wait', 'delivered', '--timeout', '1', '--json');
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('not delivered within 1 s') });
    expect(JSON.parse(ran.stdout)).toHaveProperty('messageId');
  });

  it('uploads a file, sends it by its ID or in one step, and deletes it', async () => {
    const { run, json } = harness();
    const folder = await mkdtemp(path.join(tmpdir(), 'notify-cli-'));
    const file = path.join(folder, 'report.pdf');
    await writeFile(file, '%PDF-1.7\nhello');
    const uploaded = await json<{ id: string }>('files', 'upload', file);
    expect(uploaded).toMatchObject({ type: 'application/pdf', bytes: 14, filename: 'report.pdf' });
    expect(await json('files', 'show', uploaded.id)).toEqual(uploaded);
    const whatsapp = ['send', '--channel', 'whatsapp', '--to', delivered];
    const [byId, inOne, routed] = await Promise.all([
      json<Message>(...whatsapp, '--file-id', uploaded.id, '--caption', 'A'),
      json<Message>(...whatsapp, '--file', file),
      json<{ messages: Message[] }>('send', '--route', `whatsapp:${delivered}`, '--file', file),
    ]);
    expect(byId.body).toMatchObject({ type: 'document', url: null, fileId: uploaded.id, caption: 'A' });
    for (const { body } of [inOne, routed.messages[0]!])
      expect(body).toMatchObject({ type: 'document', url: null, filename: 'report.pdf' });
    const unused = await json<{ id: string }>('files', 'upload', file);
    expect(await json('files', 'delete', unused.id)).toEqual({ id: unused.id, deleted: true });
    expect(await run(['files', 'upload', path.join(folder, 'none')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be read'),
    });
    await rm(folder, { recursive: true });
  });

  it('sends a file, a template and a text from standard input', async () => {
    const { runProcess, json } = harness();
    const whatsapp = ['send', '--channel', 'whatsapp', '--to', delivered];
    const parameters = JSON.stringify({ body: ['1234'], buttons: [{ index: 0, code: '1234' }] });
    const [file, template, text] = await Promise.all([
      json<Message>(...whatsapp, '--file-url', 'https://example.com/a.PNG?x=1', '--caption', 'A'),
      json<Message>(...whatsapp, '--template', 'login_code', '--language', 'en', '--parameters', parameters),
      runProcess(['send', '--channel', 'sms', '--to', delivered, '--text', '-', '--json'], {
        input: 'two\nlines\n',
      }),
    ]);
    expect(file.body).toMatchObject({ type: 'image', url: 'https://example.com/a.PNG?x=1', caption: 'A' });
    expect(template.body).toMatchObject({ template: { parameters: { body: ['1234'] } } });
    expect(JSON.parse(text.stdout)).toMatchObject({ body: { text: 'two\nlines' } });
  });

  it('sends by the first route that works, and shows what became of each', async () => {
    const { run, json } = harness();
    const routes = [
      '--route',
      `sms:${refused}`,
      '--route',
      JSON.stringify({ channel: 'whatsapp', to: delivered, text: 'b' }),
    ];
    const group = await json<{ id: string; status: string; routes: object[] }>(
      'send',
      ...routes,
      '--text',
      'a',
      '--wait',
      'delivered',
    );
    expect(group).toMatchObject({
      status: 'delivered',
      routes: [
        { leftFor: 'failed', body: { text: 'a' } },
        { leftFor: null, channel: 'whatsapp', body: { text: 'b' } },
      ],
    });
    const shown = await run(['groups', 'show', group.id]);
    expect(shown.stdout).toMatch(/Status +delivered[^]*sms\t.*recipient-rejected\tfailed[^]*whatsapp/);
    const list = ['groups', 'list', '--to', refused, '--status', 'delivered'];
    const listed = await json<{ data: object[] }>(...list, '--limit', '1');
    expect(listed.data).toMatchObject([{ id: group.id, routes: [{ leftFor: 'failed' }, {}] }]);
    const table = await run([...list, '--limit', '1']);
    const row = `${group.id}\\s+delivered\\s+\\${refused}, \\${delivered}\\s.*\\ssms, whatsapp`;
    expect(table.stdout).toMatch(new RegExp(row));
    const unknown = await run(['groups', 'list', '--status', 'queued']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('--status') });
    const failed = await run(['send', '--route', `sms:${refused}`, '--text', 'a', '--wait']);
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('recipient-rejected') });
    const later = await json<{ status: string }>(
      'send',
      '--route',
      `sms:${delivered}`,
      '--text',
      'a',
      '--at',
      '1h',
    );
    expect(later).toMatchObject({ status: 'pending', messages: [{ scheduledAt: expect.any(String) }] });
  });

  it('sends once with one idempotency key', async () => {
    const key = randomUUID();
    const args = ['send', '--channel', 'sms', '--to', delivered, '--text', 'once', '--idempotency-key', key];
    const [one, other] = await Promise.all([
      harness().json<Message>(...args),
      harness().json<Message>(...args),
    ]);
    expect(one.id).toBe(other.id);
  });

  it('lists a page, all pages, and what a filter leaves', async () => {
    const { run, json } = harness();
    const to = `+1555${String(Date.now()).slice(-6)}9`;
    for (const text of ['a', 'b', 'c']) await send(to, '--text', text);
    const [page, all, table, none] = await Promise.all([
      json<{ data: Message[]; nextCursor: string }>('messages', 'list', '--to', to, '--limit', '2'),
      run(['messages', 'list', '--to', to, '--limit', '2', '--all', '--json']),
      run(['messages', 'list', '--to', to, '--limit', '2']),
      run(['messages', 'list', '--to', to, '--until', '2020-01-01']),
    ]);
    expect(page.data).toHaveLength(2);
    const lines = all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Message);
    expect(lines.map(({ body }) => body.text)).toEqual(['c', 'b', 'a']);
    expect(table).toMatchObject({ code: 0, stderr: `More: --cursor ${page.nextCursor}, or --all.\n` });
    expect(table.stdout.split('\n')).toHaveLength(4);
    const next = await json<{ data: Message[] }>('messages', 'list', '--to', to, '--cursor', page.nextCursor);
    expect(next.data.map(({ body }) => body.text)).toEqual(['a']);
    expect(none).toEqual({ code: 0, stdout: '', stderr: 'No messages.\n' });
  });

  it('finds a message by its error, its idempotency key, the ID of the provider and its group', async () => {
    const { run, json } = harness();
    const key = randomUUID();
    const sent = await send(delivered, '--text', 'find me', '--idempotency-key', key, '--wait', '--json');
    const { messageId, externalId } = JSON.parse(sent.stdout) as Message & { externalId: string };
    const failing = await run(['send', '--route', `sms:${refused}`, '--text', 'find me', '--wait']);
    expect(failing.code).toBe(1);
    const list = (...filter: string[]) =>
      json<{ data: (Message & { groupId: string })[] }>('messages', 'list', ...filter);
    const failed = (await list('--error', 'recipient-rejected', '--limit', '1')).data[0]!;
    expect(failed).toMatchObject({ status: 'failed', body: { text: 'find me' } });
    for (const filter of [
      ['--idempotency-key', key],
      ['--external-id', externalId],
    ])
      expect((await list(...filter)).data).toMatchObject([
        { messageId, apiKeyId: null, idempotencyKey: key },
      ]);
    expect((await list('--group', failed.groupId)).data).toMatchObject([{ messageId: failed.messageId }]);
    expect(await run(['messages', 'list', '--group', 'x'])).toMatchObject({ code: 2 });
    expect((await run(['messages', 'show', messageId])).stdout).toMatch(
      new RegExp(`Idempotency key +${key}`),
    );
  });

  it('cancels what waits and resends what failed', async () => {
    const { run, json } = harness();
    const failed = await send(refused, '--text', 'again', '--wait', '--json');
    const { messageId } = JSON.parse(failed.stdout) as Message;
    const [resent, notCancelable, unasked] = await Promise.all([
      json('messages', 'resend', messageId),
      run(['messages', 'cancel', messageId, '--yes']),
      run(['messages', 'cancel', messageId]),
    ]);
    expect(resent).toMatchObject({ resendOf: messageId, status: 'queued' });
    expect(notCancelable).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not-cancelable (409, request'),
    });
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes is required') });
  });

  it('cancels a message that waits', async () => {
    const { run, json } = harness();
    // The sandbox throttles this recipient, so the message waits.
    const { id } = await json<Message>('send', '--channel', 'sms', '--to', '+15550000006', '--text', 'wait');
    const canceled = await untilCanceled(() => run(['messages', 'cancel', id, '--yes', '--json']));
    expect(canceled).toMatchObject({ messageId: id, status: 'failed', errorCode: 'canceled' });
  });

  it('schedules a message, and changes when it is sent', async () => {
    const { json } = harness();
    const { id, scheduledAt } = await json<Message>(
      'send',
      '--channel',
      'sms',
      '--to',
      delivered,
      '--text',
      'x',
      '--at',
      '2h',
    );
    expect(Math.abs(Date.parse(scheduledAt!) - Date.now() - 7_200_000)).toBeLessThan(60_000);
    const later = await json<Message>('messages', 'reschedule', id, '--at', '2d');
    expect(Date.parse(later.scheduledAt!) - Date.parse(scheduledAt!)).toBeGreaterThan(160_000_000);
    const shown = await harness().run(['messages', 'show', id]);
    expect(shown.stdout).toContain('Scheduled');
  });

  it('counts and cancels what matches a filter', async () => {
    const { run, json } = harness();
    const to = `+1555${String(Date.now()).slice(-6)}8`;
    for (const text of ['a', 'b']) await send(to, '--text', text, '--at', '3h');
    const listed = await json<{ data: Message[] }>('messages', 'list', '--scheduled', '--to', to);
    expect(listed.data).toHaveLength(2);
    const filter = ['messages', 'cancel-many', '--to', to, '--scheduled'];
    expect(await json(...filter, '--dry-run')).toEqual({ matched: 2, canceled: 0, more: false });
    expect(await run(filter)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes is required'),
    });
    expect(await json(...filter, '--yes')).toEqual({ matched: 2, canceled: 2, more: false });
    expect(await run(['messages', 'cancel-many'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a filter is required'),
    });
  });

  it('follows events as they come, filtered, until a signal', async () => {
    let sent = '';
    const tail = (event: string, ...more: string[]) =>
      harness().runProcess(['messages', 'tail', '--events', event, '--to', '+15550007777', ...more], {
        onOutput: (_stdout, kill) => kill('SIGINT'),
      });
    const begin = async () => {
      for (let round = 0; round < 30 && sent === ''; round += 1) {
        await send('+15550007777', '--text', 'tail');
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    };
    const tails = Promise.all([tail('message.sent', '--json'), tail('message.*')]).then((both) => {
      sent = 'seen';
      return both;
    });
    const [[json, text]] = await Promise.all([tails, begin()]);
    expect(json).toMatchObject({ code: 130, stderr: 'Following events. Ctrl-C ends.\n' });
    const first = JSON.parse(json.stdout.split('\n')[0] ?? '') as Record<string, unknown>;
    expect(first).toMatchObject({ event: 'message.sent', to: '+15550007777' });
    expect(text.stdout).toMatch(/message\.\w+ +sms {2}\+15550007777 {2}msg_/);
  });

  it('lists as many events as asked for of those that --events names, and continues after them', async () => {
    const { run, json } = harness();
    for (const text of ['a', 'b', 'c']) await send(refused, '--text', text, '--wait');
    const list = ['events', 'list', '--events', 'message.failed', '--limit', '2'];
    type Events = { data: { body: string }[]; nextCursor: string; hasMore: boolean };
    const first = await json<Events>(...list);
    const next = await json<Events>(...list, '--cursor', first.nextCursor);
    const all = await run(['events', 'list', '--event', 'message.failed', '--all', '--json']);
    const bodies = all.stdout.trim().split('\n');
    expect(bodies.length).toBeGreaterThanOrEqual(3);
    expect(first.data.map(({ body }) => body)).toEqual(bodies.slice(0, 2));
    expect(next.data.map(({ body }) => body)).toEqual(bodies.slice(2, 4));
    const lines = await run(list);
    expect(lines.stdout.match(/message\.failed/g)).toHaveLength(2);
    expect(lines.stderr).toMatch(/^More: --cursor \S+, or --all\.\n$/);
  });

  it('says that there are no such events', async () => {
    const ran = await harness().run(['events', 'list', '--events', 'contact.paired', '--json']);
    expect(ran).toMatchObject({ code: 0, stderr: 'No such events.\n' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ data: [], hasMore: false });
  });

  it('lists events', async () => {
    const { run, json } = harness();
    const [page, failures] = await Promise.all([
      json<{ data: { body: string }[] }>('events', 'list', '--limit', '1'),
      run(['events', 'list', '--all', '--event', 'message.failed', '--json']),
    ]);
    expect(page.data).toHaveLength(1);
    const names = failures.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(new Set(names)).toEqual(new Set(['message.failed']));
  });
}

/** A message that is just being sent cannot be canceled; a moment later it waits again. */
async function untilCanceled(cancel: () => Promise<{ code: number | null; stdout: string; stderr: string }>) {
  for (let round = 0; ; round += 1) {
    const ran = await cancel();
    if (ran.code === 0) return JSON.parse(ran.stdout) as unknown;
    if (round > 5) throw new Error(ran.stderr);
  }
}

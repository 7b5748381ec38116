import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { preloadOf, testWith } from '@notify/testkit';
import { Webhook } from 'standardwebhooks';
import { makeCallback, type TappedCallback } from './callback-tap.ts';
import { type InboundInstallation, startInboundInstallation } from './inbound-installation.ts';
import { person, startWriters, type Writer } from './inbound-writers.ts';

const test = testWith('redis-server');

/*
 * What every provider that brings messages must do, over real processes: two apis, a dispatch worker and a webhook worker,
 * with the provider's peer.
 */

const names = ['whatsapp-cloud', 'twilio', 'vonage', 'http-sms'] as const;

let writers: Awaited<ReturnType<typeof startWriters>>;
let installation: InboundInstallation;
const accounts = new Map<string, string>();

beforeAll(async () => {
  writers = await startWriters();
  installation = await startInboundInstallation(writers.urls);
  for (const writer of writers.all) accounts.set(writer.provider, await writer.connect(installation));
});

afterAll(async () => {
  await installation?.[Symbol.asyncDispose]();
  await writers?.[Symbol.asyncDispose]();
});

const writerOf = (provider: string): Writer => writers.all.find((writer) => writer.provider === provider)!;

interface Stored {
  readonly id: string;
  readonly type: string;
  readonly body: { readonly text?: string; readonly kind?: string };
  readonly events: number;
}

/** The inbound messages of the account with a text or a kind, oldest first, each with its number of events. */
async function storedWith(provider: string, word: string): Promise<readonly Stored[]> {
  const { rows } = await sql<Stored>`
    select id, type, body,
      (select count(*)::int from events where message_id = m.id and event = 'message.received') as events
    from messages m
    where channel_account_id = ${accounts.get(provider)} and received_at is not null
      and coalesce(body ->> 'text', body ->> 'caption', body ->> 'kind') like ${`%${word}%`}
    order by id`.execute(installation.db);
  return rows;
}

/** Keeps what the provider calls, instead of handing it on. */
const capture = (make: () => Promise<unknown>): Promise<readonly TappedCallback[]> =>
  installation.tap.capture(make);

async function statusAt(api: number, callback: TappedCallback): Promise<number> {
  return (await makeCallback(installation.apis[api]!.url, callback))?.status ?? 0;
}

/** The event of a message, in a delivery that `standardwebhooks` verifies. */
async function received(isIt: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  const parse = (body: Buffer) => JSON.parse(body.toString()) as Record<string, unknown>;
  const { headers, body } = await installation.receiver.next((posted) => isIt(parse(posted.body)));
  new Webhook(installation.webhookSecret).verify(body.toString(), headers as Record<string, string>);
  return parse(body);
}

const receivedText = (text: string) =>
  received(({ event, body }) => event === 'message.received' && (body as { text?: string }).text === text);

describe.each(names)('%s', (provider) => {
  test('a text arrives by webhook, and an answer goes back', async () => {
    const writer = writerOf(provider);
    const text = `Grüße ${randomUUID()}`;
    const id = `wamid.${randomUUID()}`;
    await writer.text(text, provider === 'twilio' ? undefined : id);
    const event = await receivedText(text);
    expect(event).toMatchObject({
      direction: 'inbound',
      provider: writer.channel,
      from: person,
      type: 'text',
      channelAccountId: accounts.get(provider),
    });
    const answer = `Answer ${randomUUID()}`;
    const body = {
      to: event['from'],
      text: answer,
      replyTo: event['messageId'],
      channelAccountId: accounts.get(provider),
    };
    const sent = await installation.notify('post', `/${writer.channel}/text`, body);
    expect([sent.status, sent.body.status]).toEqual([202, 'queued']);
    // Its last receipt, too, so that none comes among the callbacks that later tests keep.
    for (const told of ['message.sent', 'message.delivered'])
      await received(({ event: name, messageId }) => name === told && messageId === sent.body.id);
    expect(writer.lastSent()).toEqual({ text: answer, quotes: provider === 'whatsapp-cloud' ? id : null });
    const { body: list } = await installation.manage(
      'get',
      `/v1/conversations?channelAccountId=${accounts.get(provider)}`,
    );
    expect(list.data).toHaveLength(1);
  });

  test('a callback that comes three times is one message and one event', async () => {
    const text = `thrice ${randomUUID()}`;
    const [callback] = await capture(() => writerOf(provider).text(text));
    const statuses = [
      await statusAt(0, callback!),
      await statusAt(1, callback!),
      await statusAt(0, callback!),
    ];
    expect(statuses).toEqual([200, 200, 200]);
    expect(await storedWith(provider, text)).toMatchObject([{ events: 1 }]);
  });

  test('callbacks out of order are all stored, in the order of their arrival', async () => {
    const mark = randomUUID();
    const callbacks = [
      ...(await capture(() => writerOf(provider).text(`1 ${mark}`))),
      ...(await capture(() => writerOf(provider).text(`2 ${mark}`))),
    ];
    for (const callback of [callbacks[1]!, callbacks[0]!, callbacks[1]!])
      expect(await statusAt(0, callback)).toBe(200);
    const stored = await storedWith(provider, mark);
    expect(stored.map(({ body }) => body.text)).toEqual([`2 ${mark}`, `1 ${mark}`]);
  });

  test('a callback at two apis at once is one message and one event', async () => {
    const mark = randomUUID();
    const callbacks = await capture(async () => {
      for (const number of [1, 2, 3, 4, 5]) await writerOf(provider).text(`${number} ${mark}`);
    });
    const statuses = await Promise.all(
      callbacks.flatMap((callback) => [0, 1, 0, 1].map((api) => statusAt(api, callback))),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await storedWith(provider, mark)).map(({ events }) => events)).toEqual([1, 1, 1, 1, 1]);
  });

  test('a callback without a right signature or secret stores nothing, and gets 404', async () => {
    const text = `forged ${randomUUID()}`;
    const [callback] = await capture(() => writerOf(provider).text(text));
    const { headers, url, body } = callback!;
    const strangers =
      provider === 'http-sms'
        ? [{ ...callback!, url: url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }]
        : [
            { ...callback!, headers: { 'content-type': headers['content-type'] } },
            { ...callback!, body: Buffer.from(body.toString().replace('forged', 'f0rged')) },
          ];
    for (const stranger of strangers) expect(await statusAt(0, stranger)).toBe(404);
    expect(await storedWith(provider, 'f0rged')).toEqual([]);
    expect(await storedWith(provider, text)).toEqual([]);
    expect(await statusAt(0, callback!)).toBe(200);
    expect(await storedWith(provider, text)).toHaveLength(1);
  });

  test('STOP opts the person out, START in again', async () => {
    const at = `/v1/consent/${accounts.get(provider)}/${encodeURIComponent(person)}`;
    for (const [word, status] of [
      ['STOP', 'opted-out'],
      ['START', 'opted-in'],
    ] as const) {
      await writerOf(provider).text(word);
      expect((await installation.manage('get', at)).body).toMatchObject({ status });
    }
  });

  test('1 MB of text is stored as 64 KB', async () => {
    const mark = randomUUID();
    await writerOf(provider).text(`${mark} ${'é €'.repeat(175_000)}`);
    const [stored] = await storedWith(provider, mark);
    const bytes = Buffer.byteLength(stored!.body.text!);
    expect([bytes > 65_000, bytes <= 65_536, stored!.events]).toEqual([true, true, 1]);
    await received(
      ({ messageId, body }) =>
        messageId !== null && ((body as { text?: string }).text ?? '').startsWith(mark),
    );
  });
});

/** Which repetitions a provider makes, and how each is recognised, is said above. */
test('an api that is killed between commit and answer has the callback repeated: one message, one event', async () => {
  const provider = 'whatsapp-cloud';
  const text = `killed ${randomUUID()}`;
  const [callback] = await capture(() => writerOf(provider).text(text));
  const harmed = await installation.harmedApi([preloadOf({ does: 'kill-at', checkpoint: 'inbound-stored' })]);
  expect(await makeCallback(harmed.url, callback!)).toBeNull();
  expect(await harmed.ended()).toBe('SIGKILL');
  expect(await storedWith(provider, text)).toHaveLength(1);
  expect(await statusAt(1, callback!)).toBe(200);
  expect(await storedWith(provider, text)).toMatchObject([{ events: 1 }]);
  await receivedText(text);
});

test.each(names.filter((name) => name !== 'twilio'))(
  '%s: what is unknown is stored as unsupported',
  async (provider) => {
    const { unknown } = writerOf(provider);
    await unknown!.write();
    expect(await storedWith(provider, unknown!.kind)).toMatchObject([
      { type: 'unsupported', body: { kind: unknown!.kind }, events: 1 },
    ]);
  },
);

test.each(['whatsapp-cloud', 'twilio'] as const)(
  '%s: a file can be fetched until the provider loses it',
  async (provider) => {
    const { file } = writerOf(provider);
    const content = Buffer.alloc(2_000_000, 'pixels');
    const caption = `Look ${randomUUID()}`;
    await file!.write({ mimeType: 'image/jpeg', content }, caption);
    const isIt = (event: Record<string, unknown>) =>
      (event['body'] as { caption?: string }).caption === caption;
    const event = await received(isIt);
    expect(event).toMatchObject({ type: 'image', body: { caption, mimeType: 'image/jpeg' } });
    const path = `/messages/${event['messageId'] as string}/media`;
    const fetched = await installation.notify('get', path).responseType('blob');
    expect([fetched.status, fetched.type]).toEqual([200, 'image/jpeg']);
    expect(Buffer.compare(fetched.body as Buffer, content)).toBe(0);
    file!.remove();
    const gone = await installation.notify('get', path);
    expect([gone.status, gone.body.code]).toEqual([410, 'media-expired']);
  },
);

test('vonage: the parts of a long text, out of order and repeated, are one message', async () => {
  const writer = writerOf('vonage');
  const mark = randomUUID();
  const parts = [`${mark} one, `, 'two, ', 'three'];
  await writer.pieces!(parts, [2, 0, 0, 1]);
  const event = await receivedText(parts.join(''));
  expect(event).toMatchObject({ type: 'text', from: person });
  expect(await storedWith('vonage', mark)).toMatchObject([{ events: 1, body: { text: parts.join('') } }]);
});

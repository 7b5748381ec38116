import { request } from 'node:http';
import { looseSpans, type OtlpSpan, until } from '@notify/testkit';
import { sql } from 'kysely';
import { startTraced, type TracedInstallation } from './traced-installation.ts';

const text = 'Do not show this text 4711';
const to = '+4915112345678';
const senderTrace = '0af7651916cd43dd8448eb211c80319c';
const senderSpan = 'b7ad6b7169203331';
const allEvents = ['message.queued', 'message.sent', 'message.delivered'];

interface Sent {
  readonly id: string;
}

let traced: TracedInstallation;

const hexOf = (id: string): string => id.replace(/^msg_/, '').replaceAll('-', '');
const namesOf = (spans: readonly OtlpSpan[]): string[] => [...new Set(spans.map(({ name }) => name))].sort();
const find = (spans: readonly OtlpSpan[], name: string): OtlpSpan => spans.find((one) => one.name === name)!;
const linesWith = (text: string): Record<string, unknown>[] =>
  traced.processes
    .flatMap(({ lines }) => lines)
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function storedTraceparents(): Promise<(string | null)[]> {
  const { rows } = await sql<{ traceparent: string | null }>`select traceparent from messages`.execute(
    traced.database.db,
  );
  return rows.map((row) => row.traceparent);
}

/** The ids of the messages to a recipient, once there are some. */
async function idsOf(recipient: string): Promise<string[]> {
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from messages where recipient = ${recipient}`.execute(traced.database.db);
    if (rows.length > 0) return rows.map(({ id }) => id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('with all messages sampled', () => {
  beforeAll(async () => {
    traced = await startTraced((url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url }));
  });
  afterAll(() => traced?.[Symbol.asyncDispose]());

  test('a message is one trace, from its request to its last webhook', async () => {
    const { id } = (await traced.send('sms/text', { to, text })) as Sent;
    const posts = await traced.posted(id, ...allEvents);
    await traced.trace(hexOf(id), 'request', 'accept', 'claim', 'call', 'settle', 'receipt');
    const spans = await untilPosts(hexOf(id), 3);
    expect(namesOf(spans)).toEqual([
      'accept',
      'call',
      'claim',
      'event',
      'post',
      'receipt',
      'request',
      'settle',
    ]);
    expect(looseSpans(spans)).toEqual([]);
    const accept = find(spans, 'accept');
    expect(accept.spanId).toBe(hexOf(id).slice(16));
    expect(accept.parentSpanId).toBe(find(spans, 'request').spanId);
    expect(accept.attributes['notify.message.id']).toBe(id);
    expect(new Set(spans.map(({ resource }) => resource['service.name']))).toEqual(
      new Set(['notify-api', 'notify-dispatch-worker', 'notify-webhook-worker']),
    );
    // The receiver continues the span of the post that reached it.
    const postIds = spans.filter(({ name }) => name === 'post').map(({ spanId }) => spanId);
    for (const event of allEvents) {
      const [version, traceId, spanId, flags] = posts.get(event)!.split('-');
      expect([version, traceId, flags]).toEqual(['00', hexOf(id), '01']);
      expect(postIds).toContain(spanId);
    }
    for (const span of spans) expect(span.endedAt).toBeGreaterThanOrEqual(span.beganAt);
    for (const line of ['"msg":"attempt"', 'delivery attempt', '/text'])
      expect(linesWith(line).map(({ traceId }) => traceId)).toContain(hexOf(id));
  });

  test('batches are their own traces, and links lead to them', async () => {
    const { id } = (await traced.send('sms/text', { to, text })) as Sent;
    const spans = await traced.trace(hexOf(id), 'accept', 'claim', 'settle', 'receipt');
    for (const [name, batchName] of [
      ['accept', 'accept batch'],
      ['claim', 'turn'],
      ['settle', 'settle batch'],
      ['receipt', 'receipt batch'],
    ] as const) {
      const [link] = find(spans, name).links;
      const [batch] = await traced.trace(link!.traceId, batchName);
      expect(batch).toMatchObject({ name: batchName, spanId: link!.spanId, parentSpanId: null });
      expect(batch!.links).toContainEqual({ traceId: hexOf(id), spanId: hexOf(id).slice(16) });
    }
  });

  test("the sender's trace is kept, also in webhooks and for a resend", async () => {
    const traceparent = `00-${senderTrace}-${senderSpan}-01`;
    traced.gateway.behave({ answer: 'reject', times: 1 });
    const { id } = (await traced.send('sms/text', { to, text }, { traceparent })) as Sent;
    const posts = await traced.posted(id, 'message.queued', 'message.failed');
    for (const event of ['message.queued', 'message.failed'])
      expect(posts.get(event)).toMatch(new RegExp(`^00-${senderTrace}-[\\da-f]{16}-01$`));
    const resent = (await traced.tenant.post(`/v1/messages/${id}/resend`, {})) as Sent;
    const again = await traced.posted(resent.id, ...allEvents);
    expect(again.get('message.delivered')).toMatch(new RegExp(`^00-${senderTrace}-[\\da-f]{16}-01$`));
    const spans = await untilPosts(senderTrace, 5);
    const first = spans.find(({ name, parentSpanId }) => name === 'request' && parentSpanId === senderSpan);
    expect(spans.find(({ spanId }) => spanId === hexOf(id).slice(16))?.parentSpanId).toBe(first?.spanId);
    // The resend is a request of somebody else, in the trace of the message.
    const unknown = spans.filter(
      ({ parentSpanId }) =>
        parentSpanId !== null &&
        parentSpanId !== senderSpan &&
        !spans.some((one) => one.spanId === parentSpanId),
    );
    expect(unknown).toEqual([]);
    expect(await storedTraceparents()).toEqual(expect.arrayContaining([traceparent, traceparent]));
  });

  test('a bulk request without a traceparent links to the traces of its messages', async () => {
    const messages = Array.from({ length: 3 }, () => ({ to, text }));
    const sent = (await traced.send('sms/bulk', { messages })) as Sent[];
    for (const { id } of sent) {
      const spans = await traced.trace(hexOf(id), 'accept', 'call', 'receipt', 'post');
      expect(looseSpans(spans)).toEqual([]);
      const accept = find(spans, 'accept');
      expect(accept.parentSpanId).toBeNull();
      const [, request] = accept.links;
      const [span] = await traced.trace(request!.traceId, 'request');
      expect(span!.links).toContainEqual({ traceId: hexOf(id), spanId: accept.spanId });
    }
  });

  test('the messages of a bulk request with a traceparent are in the trace of their sender', async () => {
    const trace = '1'.repeat(32);
    const messages = Array.from({ length: 3 }, () => ({ to, text }));
    const traceparent = `00-${trace}-${senderSpan}-01`;
    const sent = (await traced.send('sms/bulk', { messages }, { traceparent })) as Sent[];
    for (const { id } of sent) await traced.posted(id, ...allEvents);
    const spans = await untilPosts(trace, 9);
    expect(looseSpans(spans, [senderSpan])).toEqual([]);
    const request = find(spans, 'request');
    expect(request.parentSpanId).toBe(senderSpan);
    const accepts = spans.filter(({ name }) => name === 'accept');
    expect(accepts.map(({ spanId }) => spanId).sort()).toEqual(
      sent.map(({ id }) => hexOf(id).slice(16)).sort(),
    );
    for (const accept of accepts) expect(accept.parentSpanId).toBe(request.spanId);
  });

  test.each([`00-${senderTrace}-${senderSpan}-0`, `ff-${senderTrace}-${senderSpan}-01`, 'nonsense', ''])(
    'the traceparent %j is ignored',
    async (traceparent) => {
      const { id } = (await traced.send('sms/text', { to, text }, { traceparent })) as Sent;
      const spans = await traced.trace(hexOf(id), 'request', 'accept');
      expect(looseSpans(spans)).toEqual([]);
    },
  );

  test('a sender that does not sample gets no spans, and its trace is handed on', async () => {
    const trace = '2'.repeat(32);
    const traceparent = `00-${trace}-${senderSpan}-00`;
    const { id } = (await traced.send('sms/text', { to, text }, { traceparent })) as Sent;
    const posts = await traced.posted(id, ...allEvents);
    for (const event of allEvents)
      expect(posts.get(event)).toMatch(new RegExp(`^00-${trace}-[\\da-f]{16}-00$`));
    // What is sampled later has arrived, so what was recorded before it would have, too.
    const later = (await traced.send('sms/text', { to, text })) as Sent;
    await traced.posted(later.id, ...allEvents);
    await untilPosts(hexOf(later.id), 3);
    expect(traced.collector.spans.filter(({ traceId }) => traceId === trace)).toEqual([]);
  });

  test('a client that goes before the commit leaves a whole trace, and a line with its message', async () => {
    const { db } = traced.database;
    const locked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (trx) => {
      await sql`lock table messages in exclusive mode`.execute(trx);
      locked.resolve();
      await gone.promise;
    });
    await locked.promise;
    const { url } = traced.processes[0]!;
    const sending = request(`${url}/v1/notify/sms/text`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': traced.tenant.apiKey },
      agent: false,
    });
    sending.end(JSON.stringify({ to: '+4915112340000', text }));
    const stuck = sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'notify-api' and wait_event_type = 'Lock'`;
    await until(async () => (await stuck.execute(db)).rows.length > 0);
    await new Promise((resolve) => {
      sending
        .once('close', resolve)
        .once('error', () => undefined)
        .destroy();
    });
    // The api hears of that first, and then answers this.
    expect((await fetch(`${url}/v1/nothing`)).status).toBe(404);
    gone.resolve();
    await holding;
    const [id] = await idsOf('+4915112340000');
    expect(looseSpans(await traced.trace(hexOf(id!), 'request', 'accept'))).toEqual([]);
    const [line] = linesWith('"aborted":true');
    expect(line).toMatchObject({ messageId: id, traceId: hexOf(id!) });
  });

  test('an inbound message is one trace, from its callback to its webhook', async () => {
    expect(await traced.gateway.write({ from: to.slice(1), text })).toBe(200);
    const isReceived = (body: Buffer) =>
      (JSON.parse(body.toString()) as { event: string }).event === 'message.received';
    const { headers, body } = await traced.receiver.next(({ body: posted }) => isReceived(posted));
    const { messageId } = JSON.parse(body.toString()) as { messageId: string };
    const spans = await untilPosts(hexOf(messageId), 1);
    expect(namesOf(spans)).toEqual(['callback', 'event', 'post', 'stored']);
    expect(looseSpans(spans)).toEqual([]);
    expect(find(spans, 'callback').attributes['http.route']).toBe('/callbacks/:provider/:accountId/:secret');
    expect(find(spans, 'stored')).toMatchObject({
      spanId: hexOf(messageId).slice(16),
      parentSpanId: find(spans, 'callback').spanId,
    });
    const post = find(spans, 'post');
    expect(headers.traceparent).toBe(`00-${hexOf(messageId)}-${post.spanId}-01`);
    expect(post.attributes['notify.delivery.id']).toMatch(/^dlv_[\da-f-]{36}$/);
  });

  test('no span has a text, a recipient, a URL or a setting', () => {
    const all = traced.collector.received.map(({ body }) => body.toString()).join('\n');
    expect(traced.collector.spans.length).toBeGreaterThan(100);
    const secrets = [text, to, to.slice(1), traced.receiver.url, traced.gateway.url, traced.tenant.apiKey];
    expect(secrets.filter((one) => all.includes(one))).toEqual([]);
    expect(/https?:\/\/[^"]*/.exec(all)).toBeNull();
  });
});

/** The spans of a trace when it has as many posts. */
async function untilPosts(traceId: string, count: number): Promise<OtlpSpan[]> {
  for (;;) {
    const spans = await traced.trace(traceId, 'post');
    if (spans.filter(({ name }) => name === 'post').length >= count) {
      // The other processes send theirs within a second, too.
      const known = new Set(spans.map(({ spanId }) => spanId));
      if (
        spans.every(
          ({ parentSpanId }) =>
            parentSpanId === null || known.has(parentSpanId) || parentSpanId === senderSpan,
        )
      )
        return spans;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('with a ratio of 0', () => {
  beforeAll(async () => {
    traced = await startTraced((url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, TRACE_RATIO: '0' }));
  });
  afterAll(() => traced?.[Symbol.asyncDispose]());

  test('only messages are traced whose senders sample', async () => {
    const { id } = (await traced.send('sms/text', { to, text })) as Sent;
    const posts = await traced.posted(id, ...allEvents);
    for (const event of allEvents)
      expect(posts.get(event)).toMatch(new RegExp(`^00-${hexOf(id)}-[\\da-f]{16}-00$`));
    expect(await traced.gateway.write({ from: to.slice(1), text })).toBe(200);
    const traceparent = `00-${senderTrace}-${senderSpan}-01`;
    const sampled = (await traced.send('sms/text', { to, text }, { traceparent })) as Sent;
    await traced.posted(sampled.id, ...allEvents);
    const spans = await untilPosts(senderTrace, 3);
    expect(looseSpans(spans, [senderSpan])).toEqual([]);
    const linked = traced.collector.spans.flatMap(({ links }) => links.map(({ traceId }) => traceId));
    expect(
      new Set(
        traced.collector.spans.filter(({ parentSpanId }) => parentSpanId).map(({ traceId }) => traceId),
      ),
    ).toEqual(new Set([senderTrace]));
    expect(linked).not.toContain(hexOf(id));
    expect(linesWith('"msg":"attempt"').map(({ traceId }) => traceId)).toEqual([undefined, senderTrace]);
  });

  test('a sender cannot have all messages of a large request traced', async () => {
    const trace = '3'.repeat(32);
    const messages = Array.from({ length: 51 }, () => ({ to, text }));
    await traced.send('sms/bulk', { messages }, { traceparent: `00-${trace}-${senderSpan}-01` });
    const stored = (await storedTraceparents()).filter((one) => one?.includes(trace));
    expect(stored).toEqual(messages.map(() => `00-${trace}-${senderSpan}-00`));
  });
});

describe('with TRACE_SENDERS=ignore', () => {
  beforeAll(async () => {
    const ignoring = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, TRACE_SENDERS: 'ignore' });
    traced = await startTraced(ignoring, { works: false });
  });
  afterAll(() => traced?.[Symbol.asyncDispose]());

  test('a message is in its own trace', async () => {
    const traceparent = `00-${senderTrace}-${senderSpan}-00`;
    const { id } = (await traced.send('sms/text', { to, text }, { traceparent })) as Sent;
    expect(looseSpans(await traced.trace(hexOf(id), 'request', 'accept'))).toEqual([]);
    expect(await storedTraceparents()).toEqual([null]);
  });
});

describe('without a collector', () => {
  beforeAll(async () => {
    traced = await startTraced(() => ({
      NODE_OPTIONS: `--import=${new URL('./tell-modules.ts', import.meta.url).href}`,
    }));
  });
  afterAll(() => traced?.[Symbol.asyncDispose]());

  test('nothing is stored, handed on or logged, and the SDK is not loaded', async () => {
    const traceparent = `00-${senderTrace}-${senderSpan}-01`;
    const { id } = (await traced.send('sms/text', { to, text }, { traceparent })) as Sent;
    const posts = await traced.posted(id, ...allEvents);
    expect([...posts.values()]).toEqual([undefined, undefined, undefined]);
    expect(await storedTraceparents()).toEqual([null]);
    expect(linesWith('traceId')).toEqual([]);
    expect(traced.collector.received).toEqual([]);
    await Promise.all(traced.processes.map((one) => one.stop()));
    const told = linesWith('loaded modules');
    expect(told.map(({ sdk }) => sdk)).toEqual([0, 0, 0]);
    for (const { ours } of told) expect(ours).toBeGreaterThan(50);
  });
});

import assert from 'node:assert/strict';
import type { CallbackRequest, CallbackResult } from '../../src/adapter/channel.ts';
import type { Inbound, OpenedFile } from '../../src/adapter/inbound.ts';
import { watchedClient } from './http-cases.ts';
import { answering, quoting, type Script, startPeer } from './scripted-peer.ts';
import { assertNoSecret, type ConformanceCase, sendRequest, type Subject } from './subject.ts';
import { pathsIn, replaced } from './values.ts';

/** A group with topics shows a message without one in another place. */
export function topicCases(subject: Subject): readonly ConformanceCase[] {
  const { topic, http } = subject;
  if (topic === undefined || http === undefined) return [];
  return [
    {
      name: 'topic: a message in a topic is answered in its topic',
      run: async () => {
        const [read] = inboundOf(subject, topic.callback);
        assert.ok(read?.threadId !== undefined, 'it reads no topic');
        const { from: to, threadId, externalId } = read;
        const replyTo = { externalId, isInbound: true, text: null };
        for (const changes of [{ replyTo }, { part: 1, parts: 2, text: 'the rest' }]) {
          await using peer = await startPeer(answering(http.taken));
          const { signal } = new AbortController();
          await using client = watchedClient(subject.adapter, { signal });
          const baseUrl = `http://${peer.host}`;
          const context = { settings: subject.settings(baseUrl), http: client, baseUrl, signal };
          const outcome = await subject.adapter.send(sendRequest({ to, threadId, ...changes }), context);
          assert.equal(outcome.kind, 'accepted');
          assert.ok(peer.requests[0]?.includes(topic.sentAs), peer.requests[0]);
        }
      },
    },
  ];
}

/** The cases about messages that people write, for adapters that get them by callback. */
export function inboundCases(subject: Subject): readonly ConformanceCase[] {
  const { inbound } = subject;
  if (inbound === undefined) return [];
  return [
    ...textCases(subject, inbound),
    ...(inbound.unknown === null ? [] : [unknownCase(subject, inbound.unknown)]),
    ...(inbound.document === undefined ? [] : [mutationCase(subject, inbound.document)]),
    ...(inbound.file === undefined ? [] : fileCases(subject, inbound.file)),
  ];
}

type Given = NonNullable<Subject['inbound']>;

const texts: readonly [name: string, text: string][] = [
  ['a text with every kind of character', 'Grüße & 100 % + "Ω" {{to}} 世界 😀\n=;?#'],
  ['an empty text', ''],
  ['a NUL in a text', 'a\u0000b'],
];
/** Only the first 64 KB of it are stored. */
const megabyte = 'é €'.repeat(175_000);
const storedLength = 65_536;

function textCases(subject: Subject, { text }: Given): ConformanceCase[] {
  return [
    ...texts.map(([name, words]) => ({
      name: `inbound: ${name} is read unchanged`,
      run: async () => {
        const [read, ...others] = inboundOf(subject, text('id-1', words));
        assert.deepEqual([read?.type, read?.body, others], ['text', { text: words }, []]);
        assert.ok(read !== undefined && read.externalId !== '' && read.from.startsWith('+'));
      },
    })),
    {
      name: 'inbound: of 1 MB of text all that is stored is read unchanged',
      run: async () => {
        const [read] = inboundOf(subject, text('id-1', megabyte));
        assert.ok(read !== undefined && 'text' in read.body && typeof read.body.text === 'string');
        assert.equal(read.body.text.slice(0, storedLength), megabyte.slice(0, storedLength));
      },
    },
    {
      name: 'inbound: a message that comes again has the same id, another message another',
      run: async () => {
        const ids = ['id-1', 'id-1', 'id-2'].map((id) => inboundOf(subject, text(id, 'Hi'))[0]?.externalId);
        assert.equal(ids[1], ids[0]);
        assert.notEqual(ids[2], ids[0]);
      },
    },
    {
      name: 'inbound: a stranger stores nothing',
      run: async () => {
        const request = text('id-1', 'Hi');
        const body = Buffer.from(request.body.toString().replace('Hi', 'Ho'));
        const stranger = { ...request, body, headers: {}, secretMatches: false };
        assert.equal(parse(subject, stranger).kind, 'forged');
      },
    },
  ];
}

function unknownCase(subject: Subject, request: CallbackRequest): ConformanceCase {
  return {
    name: 'inbound: what is unknown is unsupported, and not dropped',
    run: async () => {
      const [read, ...others] = inboundOf(subject, request);
      assert.deepEqual([read?.type, others], ['unsupported', []]);
      assert.ok(read !== undefined && 'kind' in read.body && read.body.kind !== '');
    },
  };
}

/** Puts a value of every type into every place of a document. The adapter must read or refuse each of them. */
function mutationCase(subject: Subject, { value, sign }: NonNullable<Given['document']>): ConformanceCase {
  const values = [null, true, 1.5, -1, '', 'x', '\u0000\ud800', [], [[]], {}, { type: {} }];
  return {
    name: 'inbound: values of every wrong type are read or refused',
    run: async () => {
      for (const path of pathsIn(value)) {
        for (const by of values) {
          const result = parse(subject, sign(replaced(value, path, by)));
          assert.notEqual(result.kind, 'forged');
          for (const read of inboundIn(result)) assertSound(read);
        }
      }
    },
  };
}

function assertSound({ externalId, from, to, sentAt, type, body, file }: Inbound): void {
  for (const text of [externalId, from, type]) assert.ok(typeof text === 'string' && text !== '');
  assert.ok(to === null || to !== '');
  assert.ok(sentAt === null || !Number.isNaN(sentAt.getTime()));
  assert.equal(typeof body, 'object');
  assert.deepEqual(JSON.parse(JSON.stringify(file)), file);
}

/** Answers to the request for a file. None may throw or show a secret. */
function fileCases(subject: Subject, file: unknown): ConformanceCase[] {
  const scripts: readonly [name: string, script: Script, kind: OpenedFile['kind']][] = [
    ['404', answering({ status: 404 }), 'expired'],
    ['410', answering({ status: 410 }), 'expired'],
    ['401', answering({ status: 401 }), 'unavailable'],
    ['429', answering({ status: 429 }), 'unavailable'],
    ['500', answering({ status: 500 }), 'unavailable'],
    [
      'a redirect elsewhere',
      answering({ status: 307, headers: { location: 'https://evil.example/' } }),
      'unavailable',
    ],
    ['a redirect to nowhere', answering({ status: 302 }), 'unavailable'],
    ['reset after the request', (socket) => socket.resetAndDestroy(), 'unavailable'],
    ['something that is not HTTP', (socket) => socket.end('\u0000\u0001 garbage\r\n\r\n'), 'unavailable'],
    ['a quoted request, 401', quoting(401), 'unavailable'],
    ['a quoted request, 500', quoting(500), 'unavailable'],
  ];
  const others = [
    null,
    undefined,
    1,
    'x',
    [],
    {},
    { id: 1 },
    { id: '../../..' },
    { path: '/' },
    { id: null, path: {} },
  ];
  return [
    ...scripts.map(([name, script, kind]) => ({
      name: `inbound: a file and ${name}: ${kind}`,
      run: async () => assert.equal((await open(subject, script, file)).kind, kind),
    })),
    {
      name: 'inbound: what names no file is no file',
      run: async () => {
        for (const one of others) {
          const answers = answering({ status: 200, body: '{}' });
          const { kind } = await open(subject, answers, one);
          assert.notEqual(kind, 'file', JSON.stringify(one));
        }
      },
    },
  ];
}

async function open(subject: Subject, script: Script, file: unknown): Promise<OpenedFile> {
  await using peer = await startPeer(script);
  const { signal } = new AbortController();
  await using http = watchedClient(subject.adapter, { signal });
  const baseUrl = `http://${peer.host}`;
  const settings = subject.settings(baseUrl);
  const opened = await subject.adapter.openFile!(file, { settings, http, baseUrl, signal });
  if (opened.kind !== 'file') assert.notEqual(opened.detail, '');
  assertNoSecret(opened, subject.secrets);
  return opened;
}

function parse({ adapter, settings }: Subject, request: CallbackRequest): CallbackResult {
  const result = adapter.parseCallback?.(request, settings('https://provider.example'));
  assert.ok(result !== undefined, 'it takes no callbacks');
  return result;
}

/** The messages in a callback. Fails if the adapter does not take it. */
export function inboundOf(subject: Subject, request: CallbackRequest): readonly Inbound[] {
  const result = parse(subject, request);
  assert.equal(result.kind, 'receipts', JSON.stringify(result));
  return inboundIn(result);
}

function inboundIn(result: CallbackResult): readonly Inbound[] {
  return result.kind === 'receipts' ? (result.inbound ?? []) : [];
}

import assert from 'node:assert/strict';
import type { Outcome } from '@notify/core';
import { createHttpClient, type HttpClient, type HttpRequest } from '@notify/egress';
import { withEnoughTime } from '@notify/testkit';
import type { Adapter } from '../../src/adapter/channel.ts';
import { checkSettings } from '../../src/settings/settings.ts';
import {
  type Answer,
  answering,
  answeringAfter,
  breakingOff,
  quoting,
  type Script,
  startPeer,
} from './scripted-peer.ts';
import { assertNoSecret, type ConformanceCase, sendRequest, type Subject } from './subject.ts';

/** The cases for adapters that call their provider by HTTP, with misbehaving providers and networks. */
export function httpCases(subject: Subject): readonly ConformanceCase[] {
  const { http } = subject;
  return http === undefined
    ? []
    : [...answerCases(subject, http), ...failureCases(subject, http), ...senderCases(subject, http)];
}

type Taken = NonNullable<Subject['http']>;
type Expectation = (outcome: Outcome) => void;

const is =
  (...kinds: readonly Outcome['kind'][]): Expectation =>
  (outcome) =>
    assert.ok(kinds.includes(outcome.kind), `expected ${kinds.join(' or ')}, got ${JSON.stringify(outcome)}`);

const waits =
  (kind: 'throttled' | 'retry', fromMs: number, toMs: number): Expectation =>
  (outcome) => {
    assert.equal(outcome.kind, kind);
    const afterMs = 'afterMs' in outcome ? outcome.afterMs : undefined;
    assert.ok(afterMs !== undefined && afterMs >= fromMs && afterMs <= toMs, `waits ${afterMs} ms`);
  };

/** The provider answered, and its answer decides the outcome. */
function answerCases(subject: Subject, { taken, externalId }: Taken): ConformanceCase[] {
  const retryAfter = (value: string) => ({ 'retry-after': value });
  /** A getter, because the case may run long after the table was made. */
  const untilInAMinute: Answer = {
    status: 429,
    get headers() {
      return retryAfter(new Date(Date.now() + 60_000).toUTCString());
    },
  };
  const isTaken: Expectation = (outcome) => assert.deepEqual(outcome, { kind: 'accepted', externalId });
  const table: readonly [name: string, answer: Answer, expected: Expectation][] = [
    ['accepted', taken, isTaken],
    ['400: refused', { status: 400 }, is('rejected')],
    ['404: refused', { status: 404 }, is('rejected')],
    ['401: the account', { status: 401 }, is('connection-broken')],
    ['403: the account', { status: 403 }, is('connection-broken')],
    ['429: throttled', { status: 429 }, waits('throttled', 1, 3_600_000)],
    ['429 with seconds', { status: 429, headers: retryAfter('7') }, waits('throttled', 7_000, 7_000)],
    ['429 with a date', untilInAMinute, waits('throttled', 5_000, 60_000)],
    [
      '429 for a day',
      { status: 429, headers: retryAfter('86400') },
      waits('throttled', 3_600_000, 3_600_000),
    ],
    ['429 with nonsense', { status: 429, headers: retryAfter('soon') }, waits('throttled', 1, 3_600_000)],
    ['429 with a decimal', { status: 429, headers: retryAfter('40.5') }, waits('throttled', 41_000, 41_000)],
    ['429 with no wait', { status: 429, headers: retryAfter('0') }, waits('throttled', 1_000, 1_000)],
    ...['1,5', '"2"', '+2', '2030', '2 s', '2030-01-01', 'Jan 1 2030'].map(
      (value): (typeof table)[number] => [
        `429 with ${value}`,
        { status: 429, headers: retryAfter(value) },
        value === '2030' ? waits('throttled', 2_030_000, 2_030_000) : waits('throttled', 1_000, 60_000),
      ],
    ),
    ['500: try again', { status: 500 }, is('retry')],
    ['502 with a page', { status: 502, body: '<html>Bad Gateway</html>' }, is('retry')],
    ['503 with seconds', { status: 503, headers: retryAfter('7') }, waits('retry', 7_000, 7_000)],
    [
      'a redirect is not followed',
      { status: 302, headers: { location: '/elsewhere' } },
      is('connection-broken'),
    ],
  ];
  return [
    ...table.map(([name, answer, expected]) => ({
      name,
      run: () => expectOutcome(subject, answering(answer), expected, { requests: 1 }),
    })),
    ...[[100], [100, 100], [103, 100], [102, 100, 103]].map((statuses) => ({
      name: `accepted after ${statuses.join(', ')} that nobody asked for`,
      run: () => expectOutcome(subject, answeringAfter(statuses, taken), isTaken, { requests: 1 }),
    })),
    {
      name: '429 with seconds, after 100 that nobody asked for',
      run: () =>
        expectOutcome(
          subject,
          answeringAfter([100], { status: 429, headers: retryAfter('7') }),
          waits('throttled', 7_000, 7_000),
          { requests: 1 },
        ),
    },
    ...[400, 401, 403, 429, 500, taken.status].map((status) => ({
      name: `an answer of ${status} that quotes the request gives no secret away`,
      run: () =>
        expectOutcome(subject, quoting(status), (outcome) => assertNoSecret(outcome, subject.secrets)),
    })),
    { name: 'verify never throws and gives no secret away', run: () => verifyIsQuiet(subject) },
    {
      name: 'verify: the provider refuses the credentials',
      run: () => expectRefusal(subject, answering({ status: 403 }), true),
    },
    {
      name: 'verify: a provider in trouble refuses nothing',
      run: () => expectRefusal(subject, answering({ status: 503 }), false),
    },
    {
      name: 'verify: a throttling provider refuses nothing',
      run: () => expectRefusal(subject, answering({ status: 429 }), false),
    },
  ];
}

/** Only for providers that take a sender for each message. */
function senderCases(subject: Subject, { taken }: Taken): ConformanceCase[] {
  const { adapter, settings, secrets } = subject;
  if (subject.senders === false || !Object.hasOwn(adapter.settings.properties, 'senders')) return [];
  const rows = [
    { prefix: '+49', from: '+15005550188' },
    { prefix: '+4915', from: '+15005550199' },
  ];
  const withRows = (baseUrl: string, senders: readonly object[] = rows) => ({
    ...(settings(baseUrl) as object),
    senders,
  });
  const sending = async (to: string, expected: readonly boolean[], note: RegExp) => {
    await using peer = await startPeer(answering(taken));
    const { signal } = new AbortController();
    await using http = watchedClient(adapter, { signal });
    const baseUrl = `http://${peer.host}`;
    const context = { settings: withRows(baseUrl), http, baseUrl, signal };
    const outcome = await adapter.send(sendRequest({ to }), context);
    assertNoSecret(outcome, secrets);
    const [request = ''] = peer.requests;
    const found = rows.map(({ from }) => request.includes(from.slice(1)));
    assert.deepEqual(found, expected);
    assert.match((outcome.kind === 'accepted' && outcome.note) || '', note);
  };
  const faultOf = (second: object, at: string) => {
    const faults = checkSettings(adapter, withRows('https://provider.example', [rows[0]!, second]));
    assert.deepEqual(
      faults.map((fault) => fault.at),
      [at],
    );
  };
  return [
    {
      name: 'senders: the longest prefix chooses',
      run: () =>
        sending('+4915112345678', [false, true], /^Sent from \+15005550199, by the prefix \+4915\.$/),
    },
    {
      name: 'senders: the default is for all other numbers',
      run: () => sending('+447700900123', [false, false], /, because no prefix fits\.$/),
    },
    {
      name: 'senders: settings with rows are good, and a bad one is named',
      run: async () => {
        assert.deepEqual(checkSettings(adapter, withRows('https://provider.example')), []);
        faultOf({ prefix: '+49', from: 'Shop' }, '/senders/1/prefix');
        faultOf({ prefix: '49', from: 'Shop' }, '/senders/1/prefix');
        faultOf({ prefix: '+0', from: 'Shop' }, '/senders/1/prefix');
        faultOf({ prefix: '+1', from: '' }, '/senders/1/from');
        faultOf({ prefix: '+1' }, '/senders/1/from');
      },
    },
  ];
}

/** The answer is missing or unreadable: a retry if nothing was sent, otherwise an unknown outcome. */
function failureCases(subject: Subject, { taken }: Taken): ConformanceCase[] {
  const huge = { ...taken, body: `${taken.body ?? ''}${'x'.repeat(10_000_000)}` };
  const scripts: readonly [name: string, script: Script, expected: Expectation][] = [
    ['reset after the request', (socket) => socket.resetAndDestroy(), is('unknown')],
    ['closed after the request', (socket) => socket.end(), is('unknown')],
    ['closed after a 100', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'), is('unknown')],
    ['something that is not HTTP', (socket) => socket.end('\u0000\u0001 garbage\r\n\r\n'), is('unknown')],
    ['half a head', (socket) => socket.end('HTTP/1.1 20'), is('unknown')],
    [
      'half an answer',
      breakingOff({ ...taken, body: taken.body ?? '0123456789' }),
      is('accepted', 'unknown'),
    ],
    ['half of a refusal', breakingOff({ status: 400, body: '0123456789' }), is('rejected')],
    ['an answer without end', answering(huge), is('accepted', 'unknown')],
  ];
  return [
    ...scripts.map(([name, script, expected]) => ({
      name,
      run: () => expectOutcome(subject, script, expected),
    })),
    { name: 'no answer in time', run: () => neverAnswers(subject) },
    { name: 'connection refused', run: () => expectUnsent(subject, closedPort) },
    {
      name: 'a name that does not exist',
      run: () => expectUnsent(subject, () => 'http://no-such-host.invalid'),
    },
    { name: 'a broken TLS handshake', run: () => tlsFails(subject) },
    { name: 'a connection that never gets ready', run: () => neverReady(subject) },
    { name: 'aborted before it began', run: () => abortedBefore(subject) },
    { name: 'aborted in flight', run: () => abortedInFlight(subject) },
    { name: 'an address that is not allowed', run: () => blocked(subject) },
    {
      name: 'verify: a provider that does not answer refuses nothing',
      run: () => expectRefusal(subject, (socket) => socket.resetAndDestroy(), false),
    },
  ];
}

/** The terms of a call. */
export interface Terms {
  readonly signal?: AbortSignal;
  readonly allowPrivate?: boolean;
  /** A deadline in ms that is shorter than the adapter's own, for cases that wait for it. */
  readonly patienceMs?: number;
  /** The longest that a call may take, in ms. Default: the adapter's own limit of a call without a file. */
  readonly mostMs?: number;
}

/** Sends one message over the real client. Checks that the adapter obeys its deadline and its signal. */
async function send(subject: Subject, baseUrl: string, terms: Terms = {}): Promise<Outcome> {
  const { adapter } = subject;
  const signal = terms.signal ?? new AbortController().signal;
  await using http = watchedClient(adapter, { ...terms, signal });
  const settings = subject.settings(baseUrl);
  const outcome = await adapter.send(sendRequest(), { settings, http, baseUrl, signal });
  assertNoSecret(outcome, subject.secrets);
  return outcome;
}

/** The real client. Fails a call that outlives its deadline or does not listen to its signal. */
export function watchedClient(adapter: Adapter, terms: Terms): HttpClient & AsyncDisposable {
  const client = createHttpClient({
    allowPrivate: terms.allowPrivate ?? true,
    allow: [],
    userAgent: 'conformance',
  });
  const endsWithSignal = ({ signal }: HttpRequest): void =>
    assert.equal(signal, terms.signal, 'a call must end with its signal');
  return {
    request(request) {
      assert.ok(
        request.deadlineMs <= (terms.mostMs ?? adapter.capabilities.callDeadlineMs),
        'a call may not outlive its deadline',
      );
      endsWithSignal(request);
      return client.request({ ...request, deadlineMs: terms.patienceMs ?? request.deadlineMs });
    },
    stream(request) {
      endsWithSignal(request);
      return client.stream({ ...request, deadlineMs: terms.patienceMs ?? request.deadlineMs });
    },
    close: () => client.close(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function expectOutcome(
  subject: Subject,
  script: Script,
  expected: Expectation,
  count?: { requests: number },
): Promise<void> {
  await using peer = await startPeer(script);
  expected(await send(subject, `http://${peer.host}`));
  if (count !== undefined) assert.equal(peer.requests.length, count.requests);
}

async function expectUnsent(subject: Subject, address: () => string | Promise<string>): Promise<void> {
  is('retry')(await send(subject, await address()));
}

async function closedPort(): Promise<string> {
  await using peer = await startPeer(null);
  return `http://${peer.host}`;
}

async function tlsFails(subject: Subject): Promise<void> {
  await using peer = await startPeer((socket) => socket.end('no TLS here'));
  is('retry')(await send(subject, `https://${peer.host}`));
}

async function neverReady(subject: Subject): Promise<void> {
  await using peer = await startPeer(null);
  is('retry')(await send(subject, `https://${peer.host}`, { patienceMs: 300 }));
}

async function neverAnswers(subject: Subject): Promise<void> {
  await using peer = await startPeer(() => undefined);
  const outcome = await withEnoughTime(
    200,
    (patienceMs) => send(subject, `http://${peer.host}`, { patienceMs }),
    () => peer.requests.length > 0,
  );
  is('unknown')(outcome);
}

async function abortedBefore(subject: Subject): Promise<void> {
  await using peer = await startPeer(answering({ status: 200 }));
  is('retry')(await send(subject, `http://${peer.host}`, { signal: AbortSignal.abort() }));
  assert.equal(peer.requests.length, 0);
}

async function abortedInFlight(subject: Subject): Promise<void> {
  const ending = new AbortController();
  await using peer = await startPeer(() => ending.abort());
  is('unknown')(await send(subject, `http://${peer.host}`, { signal: ending.signal }));
}

async function blocked(subject: Subject): Promise<void> {
  await using peer = await startPeer(answering({ status: 200 }));
  is('connection-broken')(await send(subject, `http://${peer.host}`, { allowPrivate: false }));
  assert.equal(peer.requests.length, 0);
}

/** Whether verify reads the provider's behaviour as a refusal. An adapter without a probe of credentials may pass 403. */
async function expectRefusal(subject: Subject, script: Script, refused: boolean): Promise<void> {
  await using peer = await startPeer(script);
  const { signal } = new AbortController();
  await using http = watchedClient(subject.adapter, { signal });
  const baseUrl = `http://${peer.host}`;
  const settings = subject.settings(baseUrl);
  const result = await subject.adapter.verify({ settings, http, baseUrl, signal });
  assert.ok(result.ok || result.refused === refused, JSON.stringify(result));
}

async function verifyIsQuiet(subject: Subject): Promise<void> {
  for (const script of [quoting(401), quoting(500), quoting(200)]) {
    await using peer = await startPeer(script);
    const { signal } = new AbortController();
    await using http = watchedClient(subject.adapter, { signal });
    const baseUrl = `http://${peer.host}`;
    const settings = subject.settings(baseUrl);
    assertNoSecret(await subject.adapter.verify({ settings, http, baseUrl, signal }), subject.secrets);
  }
}

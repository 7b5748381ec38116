import assert from 'node:assert/strict';
import type { ChatState, NotToldReason, Told } from '@notify/core';
import type { HttpClient } from '@notify/egress';
import { withEnoughTime } from '@notify/testkit';
import { watchedClient } from './http-cases.ts';
import { type Answer, answering, quoting, type Script, startPeer } from './scripted-peer.ts';
import { assertNoSecret, type ConformanceCase, noStream, type Subject } from './subject.ts';

/** The cases of telling people something beside messages. */
export function tellCases(subject: Subject): readonly ConformanceCase[] {
  const { adapter, told } = subject;
  const { chatStates = [], linking = false } = adapter.capabilities;
  const declares: ConformanceCase = {
    name: 'tells what it declares',
    async run() {
      const tells = adapter.tell !== undefined || linking;
      assert.equal(tells && chatStates.length > 0, chatStates.length > 0 || adapter.tell !== undefined);
    },
  };
  if (adapter.tell === undefined) return [declares];
  if (subject.http === undefined) return [declares, ...chatStates.map((state) => tellsAlone(subject, state))];
  if (told === undefined) throw new Error('an answer is needed to try tell');
  return [declares, ...chatStates.flatMap((state) => casesOf(subject, state, told))];
}

function tellsAlone({ adapter, settings }: Subject, state: ChatState): ConformanceCase {
  const request: HttpClient['request'] = () => Promise.reject(new Error('no call is needed'));
  const http: HttpClient = { request, stream: noStream, close: async () => undefined };
  const { signal } = new AbortController();
  const context = { settings: settings(''), http, baseUrl: '', signal };
  return {
    name: `${state}: answers by itself`,
    async run() {
      assert.equal(typeof (await adapter.tell!(requestOf(state), context)).delivered, 'boolean');
    },
  };
}

/** A failure is a value, is asked once, and shows no secret. */
function casesOf(subject: Subject, state: ChatState, told: Answer): ConformanceCase[] {
  const failures: readonly [name: string, script: Script, reason: NotToldReason][] = [
    ['400 is a refusal', answering({ status: 400 }), 'refused'],
    ['401 is about the account', answering({ status: 401 }), 'not-connected'],
    ['429 is a limit', answering({ status: 429, headers: { 'retry-after': '7' } }), 'rate-limited'],
    ['500', answering({ status: 500 }), 'unavailable'],
    ['a page of a proxy', answering({ status: 502, body: '<html>Bad Gateway</html>' }), 'unavailable'],
    ['an empty answer', answering({ status: 200 }), 'unavailable'],
    ['no JSON', answering({ status: 200, body: '<html>' }), 'unavailable'],
    ['reset after the request', (socket) => socket.resetAndDestroy(), 'unavailable'],
  ];
  return [
    {
      name: `${state}: is taken`,
      run: async () => assert.deepEqual(await tell(subject, state, answering(told)), { delivered: true }),
    },
    ...failures.map(([name, script, reason]) => ({
      name: `${state}: ${name}`,
      run: async () => assert.deepEqual(await tell(subject, state, script), { delivered: false, reason }),
    })),
    {
      name: `${state}: no answer in time`,
      async run() {
        const asked = await withEnoughTime(
          300,
          (patienceMs) => ask(subject, state, () => undefined, patienceMs),
          ({ requests }) => requests > 0,
        );
        assert.deepEqual(asked, { told: { delivered: false, reason: 'unavailable' }, requests: 1 });
      },
    },
    {
      name: `${state}: an answer that quotes the request gives no secret away`,
      run: async () => void (await tell(subject, state, quoting(400))),
    },
  ];
}

function requestOf(state: ChatState) {
  return { state, to: '+4915112345678', externalIds: ['wamid.HBgN'], threadId: null };
}

async function tell(subject: Subject, state: ChatState, script: Script): Promise<Told> {
  const { told, requests } = await ask(subject, state, script);
  assert.equal(requests, 1);
  return told;
}

async function ask(
  { adapter, settings, secrets }: Subject,
  state: ChatState,
  script: Script,
  patienceMs?: number,
): Promise<{ readonly told: Told; readonly requests: number }> {
  await using peer = await startPeer(script);
  const { signal } = new AbortController();
  await using http = watchedClient(adapter, { signal, ...(patienceMs === undefined ? {} : { patienceMs }) });
  const baseUrl = `http://${peer.host}`;
  const told = await adapter.tell!(requestOf(state), { settings: settings(baseUrl), http, baseUrl, signal });
  assertNoSecret(told, secrets);
  return { told, requests: peer.requests.length };
}

import type { Outcome } from '@notify/core';
import type { Adapter } from './channel.ts';
import { conformance, type Subject } from './conformance.ts';
import { httpSms } from './http-sms/http-sms.ts';

/* The suite must fail an adapter that breaks a promise: here each promise is broken in turn. */

const sound = httpSms as Adapter;
const secret = 'pass-word-1';

function failureOf(name: string, adapter: Adapter): Promise<void> {
  const subject: Subject = {
    adapter,
    settings: (baseUrl) => ({ profile: 'kannel', url: `${baseUrl}/send`, username: 'u', password: secret }),
    secrets: [secret],
    http: { taken: { status: 202, body: '0: Accepted' }, externalId: null },
  };
  const found = conformance(subject).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no case is called ${name}`);
  return found.run();
}

const answeringAlways = (outcome: Outcome): Adapter => ({
  ...sound,
  send: async (request, context) => {
    await sound.send(request, context);
    return outcome;
  },
});
const leaky: Outcome = { kind: 'rejected', errorCode: 'provider-rejected', text: `password=${secret}` };
const rejected: Outcome = { ...leaky, text: 'no' };

test.each<[string, string, Adapter]>([
  ['guesses', 'reset after the request', answeringAlways(rejected)],
  ['gives up what was never sent', 'connection refused', answeringAlways(rejected)],
  ['shows a secret', '400: refused', answeringAlways(leaky)],
  ['does not slow down', '429 with seconds', answeringAlways(rejected)],
  ['throws', '500: try again', { ...sound, send: () => Promise.reject(new Error('boom')) }],
  [
    'asks twice',
    'accepted',
    { ...sound, send: (...args) => sound.send(...args).then(() => sound.send(...args)) },
  ],
  [
    'does not listen to its signal',
    'accepted',
    {
      ...sound,
      send: (request, context) => sound.send(request, { ...context, signal: new AbortController().signal }),
    },
  ],
  [
    'outlives its deadline',
    'accepted',
    { ...sound, capabilities: { ...sound.capabilities, callDeadlineMs: 5 } },
  ],
  [
    'believes strangers',
    'takes no callback from a stranger',
    { ...sound, parseCallback: () => ({ kind: 'receipts', receipts: [] }) },
  ],
  ['is not registered', 'is registered under its id', { ...sound }],
])('an adapter that %s fails at "%s"', async (_, name, adapter) => {
  await expect(failureOf(name, adapter)).rejects.toBeInstanceOf(Error);
  await expect(failureOf(name, sound)).resolves.toBeUndefined();
});

import type { Outcome } from '@notify/core';
import type { Adapter } from '../../src/adapter/channel.ts';
import { httpSms } from '../../src/http-sms/http-sms.ts';
import { conformance, type Subject } from './conformance.ts';

/* The suite must fail an adapter that breaks a promise. Each test breaks one promise. */

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

const withSend = (send: Adapter['send']): Adapter => ({ ...sound, send });
const deaf = withSend((request, context) =>
  sound.send(request, { ...context, signal: new AbortController().signal }),
);
const doubling = withSend((...args) => sound.send(...args).then(() => sound.send(...args)));
const throwing = withSend(() => Promise.reject(new Error('boom')));
const endless: Adapter = { ...sound, capabilities: { ...sound.capabilities, callDeadlineMs: 5 } };
const templateBlind = withSend((request, context) => sound.send({ ...request, type: 'text' }, context));
const trusting: Adapter = { ...sound, parseCallback: () => ({ kind: 'receipts', receipts: [] }) };

const describing = withSend((request, context) =>
  sound.send('text' in request.body ? request : { ...request, text: 'A file' }, context),
);

test.each<[string, string, string, Adapter]>([
  ['guesses', 'reset after the request', 'expected unknown', answeringAlways(rejected)],
  ['gives up what was never sent', 'connection refused', 'expected retry', answeringAlways(rejected)],
  ['shows a secret', '400: refused', 'shows a secret', answeringAlways(leaky)],
  ['does not slow down', '429 with seconds', 'throttled', answeringAlways(rejected)],
  ['throws', '500: try again', 'boom', throwing],
  ['asks twice', 'accepted', '2 !== 1', doubling],
  ['does not listen to its signal', 'accepted', 'must end with its signal', deaf],
  ['outlives its deadline', 'accepted', 'may not outlive its deadline', endless],
  ['believes strangers', 'takes no callback from a stranger', 'forged', trusting],
  ['sends a template as a text', 'refuses a template for good, and asks nobody', 'no call', templateBlind],
  ['sends a text for a file', 'file by id: refused, and nobody is asked', 'deep-equal', describing],
  ['is not registered', 'is registered under its id', 'same', { ...sound }],
])('an adapter that %s fails at "%s": %s', async (_, name, message, adapter) => {
  await expect(failureOf(name, adapter)).rejects.toThrow(message);
  await expect(failureOf(name, sound)).resolves.toBeUndefined();
});

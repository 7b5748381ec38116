import assert from 'node:assert/strict';
import type { CallbackRequest } from '../../src/adapter/channel.ts';
import { adapters } from '../../src/registry.ts';
import { checkSettings, maskSettings } from '../../src/settings/settings.ts';
import { httpCases } from './http-cases.ts';
import { buttonCases } from './button-cases.ts';
import { fileCases } from './file-cases.ts';
import { inboundCases, topicCases } from './inbound-cases.ts';
import { assertNoSecret, type ConformanceCase, type Subject } from './subject.ts';
import { tellCases } from './tell-cases.ts';
import { templateCases } from './template-cases.ts';

export {
  callbackRequest,
  type ConformanceCase,
  type InboundSubject,
  noStream,
  sendRequest,
  type Subject,
  templateRequest,
} from './subject.ts';

/** Every case that applies to the subject. The caller runs them one by one. */
export function conformance(subject: Subject): readonly ConformanceCase[] {
  return [
    ...settingsCases(subject),
    ...callbackCases(subject),
    ...httpCases(subject),
    ...templateCases(subject),
    ...inboundCases(subject),
    ...buttonCases(subject),
    ...fileCases(subject),
    ...tellCases(subject),
    ...topicCases(subject),
  ];
}

function settingsCases(subject: Subject): ConformanceCase[] {
  const { adapter, secrets } = subject;
  const settings = subject.settings('https://provider.example');
  return [
    named('is registered under its id', () => assert.equal(adapters.get(adapter.id), adapter)),
    named('takes its own settings', () => assert.deepEqual(checkSettings(adapter, settings), [])),
    named('names an unknown field', () => {
      const faults = checkSettings(adapter, { ...(settings as object), tokn: 1 });
      assert.deepEqual(faults, [{ at: '/tokn', message: 'is not a known field' }]);
    }),
    named('shows no secret in its settings', () => assertNoSecret(maskSettings(adapter, settings), secrets)),
  ];
}

function callbackCases({ adapter, settings }: Subject): ConformanceCase[] {
  if (adapter.parseCallback === undefined) return [];
  const bodies = ['', '{', '[]', 'null', '{"a":{"b":[1]}}', 'a=1&b=%', '\u0000\ufffd', 'x'.repeat(100_000)];
  const parse = (request: CallbackRequest) =>
    adapter.parseCallback?.(request, settings('https://provider.example'));
  return [
    named('takes no callback from a stranger', () => {
      assert.equal(parse(callback('', { secretMatches: false }))?.kind, 'forged');
    }),
    named('reads hostile callbacks without throwing', () => {
      for (const body of bodies) assert.notEqual(parse(callback(body)), undefined);
    }),
  ];
}

function callback(body: string, changes: Partial<CallbackRequest> = {}): CallbackRequest {
  const query = new URLSearchParams();
  return {
    method: 'POST',
    url: '/',
    publicUrl: 'https://notify.example/',
    query,
    headers: {},
    body: Buffer.from(body),
    secretMatches: true,
    address: '192.0.2.1',
    ...changes,
  };
}

function named(name: string, run: () => void): ConformanceCase {
  return { name, run: async () => run() };
}

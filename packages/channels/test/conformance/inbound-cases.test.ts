import type { Adapter, CallbackResult } from '../../src/adapter/channel.ts';
import type { Inbound } from '../../src/adapter/inbound.ts';
import { httpSms } from '../../src/http-sms/http-sms.ts';
import { callbackRequest, conformance, type InboundSubject } from './conformance.ts';

/* The suite must fail an adapter that breaks a promise about inbound messages. Each test breaks one promise. */

const secret = 'pass-word-1';
const called = (fields: Readonly<Record<string, string>>) =>
  callbackRequest({ body: Buffer.from(JSON.stringify({ from: '+4915112345678', ...fields })) });
const inbound: InboundSubject = {
  text: (id, text) => called({ id, text }),
  unknown: called({ id: '1', text: 'x', charset: 'binary' }),
  document: {
    value: { from: '+4915112345678', id: '1', text: 'Hi' },
    sign: (value) => callbackRequest({ body: Buffer.from(JSON.stringify(value)) }),
  },
  file: { id: '1' },
};
/** Has files too, and says of each answer what the suite expects. */
const sound: Adapter = {
  ...(httpSms as Adapter),
  async openFile(file, { http, baseUrl, signal }) {
    const result = await http.request({
      method: 'GET',
      url: baseUrl,
      headers: {},
      signal,
      deadlineMs: 5_000,
    });
    const isGone = file === null || (result.ok && [404, 410].includes(result.status));
    return { kind: isGone ? 'expired' : 'unavailable', detail: 'no' };
  },
};

function failureOf(name: string, adapter: Adapter): Promise<void> {
  const map = { from: '/from', text: '/text', id: '/id', charset: '/charset' };
  const cases = conformance({
    adapter,
    settings: (baseUrl) => ({ url: `${baseUrl}/{{secret.token}}`, secrets: { token: secret }, inbound: map }),
    secrets: [secret],
    inbound,
  });
  const found = cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no case is called ${name}`);
  return found.run();
}

/** The sound adapter, with something done to what it read. */
function reading(change: (inbound: readonly Inbound[]) => readonly Inbound[]): Adapter {
  return {
    ...sound,
    parseCallback(request, settings): CallbackResult {
      const result = sound.parseCallback!(request, settings);
      return result.kind === 'receipts' ? { ...result, inbound: change(result.inbound ?? []) } : result;
    },
  };
}

const each = (change: (message: Inbound) => Partial<Inbound>): Adapter =>
  reading((all) => all.map((message) => ({ ...message, ...change(message) })));
const textOf = ({ body }: Inbound): string => ('text' in body ? body.text : '');

const cutting = each((message) => ({ body: { text: textOf(message).slice(0, 4_096) } }));
const scrubbing = each((message) => ({ body: { text: textOf(message).replaceAll('\u0000', '') } }));
const forgetful = each(() => ({ externalId: String(Math.random()) }));
const merging = each(() => ({ externalId: 'always' }));
const dropping = reading((all) => all.filter(({ type }) => type !== 'unsupported'));
const nameless = each(({ from }) => ({ from: from === 'x' ? '' : from }));
const trusting: Adapter = { ...sound, parseCallback: () => ({ kind: 'receipts', receipts: [] }) };
const opening = (openFile: Adapter['openFile']): Adapter => ({ ...sound, openFile: openFile! });
const throwing = opening(() => Promise.reject(new Error('boom')));
const hopeful = opening(async () => ({ kind: 'unavailable', detail: 'later' }));
const leaky = opening(async () => ({ kind: 'unavailable', detail: `token=${secret}` }));

test.each<[string, string, string, Adapter]>([
  ['cuts texts', 'inbound: of 1 MB of text all that is stored is read unchanged', 'strict', cutting],
  ['changes texts', 'inbound: a NUL in a text is read unchanged', 'deep', scrubbing],
  [
    'invents ids',
    'inbound: a message that comes again has the same id, another message another',
    'equal',
    forgetful,
  ],
  [
    'repeats ids',
    'inbound: a message that comes again has the same id, another message another',
    'unequal',
    merging,
  ],
  [
    'drops what it does not know',
    'inbound: what is unknown is unsupported, and not dropped',
    'deep',
    dropping,
  ],
  [
    'lets people write without a name',
    'inbound: values of every wrong type are read or refused',
    'falsy',
    nameless,
  ],
  ['believes strangers', 'inbound: a stranger stores nothing', 'equal', trusting],
  ['throws', 'inbound: a file and reset after the request: unavailable', 'boom', throwing],
  ['waits for what is gone', 'inbound: a file and 410: expired', 'equal', hopeful],
  ['shows a secret', 'inbound: a file and 500: unavailable', 'shows a secret', leaky],
])('an adapter that %s fails at "%s"', async (_, name, message, adapter) => {
  await expect(failureOf(name, adapter)).rejects.toThrow(message);
  await expect(failureOf(name, sound)).resolves.toBeUndefined();
});

import { createHttpClient } from '@notify/egress';
import {
  describeWith,
  kannelPrograms,
  type Receiver,
  type RunningKannel,
  startKannel,
  startReceiver,
} from '@notify/testkit';
import { adapters, type CallbackResult, type Inbound, type SendRequest } from '../src/index.ts';
import { sendRequest } from './conformance/conformance.ts';

describeWith(...kannelPrograms)('http-sms with a real Kannel', () => {
  const httpSms = adapters.get('http-sms');
  if (httpSms === undefined) throw new Error('http-sms is not registered');
  const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });
  const { signal } = new AbortController();
  let kannel: RunningKannel;
  let receiver: Receiver;

  beforeAll(async () => {
    kannel = await startKannel();
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await kannel.stop();
    await receiver.close();
    await http.close();
  });

  const settings = (changes: object = {}) => ({
    profile: 'kannel',
    url: kannel.sendsmsUrl,
    username: kannel.username,
    password: kannel.password,
    from: 'Shop',
    maxSegments: 10,
    ...changes,
  });
  const context = (changes: object = {}) => ({ settings: settings(changes), http, baseUrl: '', signal });
  const send = (changes: Partial<SendRequest>, settingsChanges: object = {}) =>
    httpSms.send(
      sendRequest({ callbackUrl: `${receiver.url}/callbacks/secret`, ...changes }),
      context(settingsChanges),
    );
  const textTo = (to: string, text: string) => ({ to, body: { text } });
  const receivedBy = (to: string) => kannel.received().filter((sms) => sms.to === to);

  /** The report of one kind about one message, read as the api would. */
  async function reportOf(messageId: string, type: string): Promise<CallbackResult | undefined> {
    const asked = await receiver.next(({ url }) => url.includes(messageId) && url.includes(`type=${type}&`));
    return httpSms?.parseCallback?.(
      {
        method: 'GET',
        url: asked.url,
        publicUrl: null,
        query: new URL(asked.url, receiver.url).searchParams,
        headers: {},
        body: asked.body,
        secretMatches: true,
        address: '192.0.2.1',
      },
      settings(),
    );
  }

  test('a text arrives as it is, and its reports say sent, then delivered', async () => {
    const text = 'Hello @ £ € {x} & 100 % + "ü"';
    const messageId = '01912d68-0000-7000-8000-00000000000a';
    const before = kannel.received().length;
    const outcome = await send({ messageId, ...textTo('+491511111111', text) });
    expect(outcome).toEqual({ kind: 'accepted', externalId: null });
    await kannel.whenReceived(before + 1);
    const sms = { from: 'Shop', to: '+491511111111', text, encoding: 'GSM-7', segment: null };
    expect(receivedBy('+491511111111')).toEqual([sms]);
    const receipt = { messageId, externalId: null, part: null };
    expect(await reportOf(messageId, '8')).toMatchObject({ receipts: [{ ...receipt, status: 'sent' }] });
    expect(await reportOf(messageId, '1')).toMatchObject({ receipts: [{ ...receipt, status: 'delivered' }] });
  });

  test('200 characters are cut by Kannel into two segments of one message', async () => {
    const text = 'x'.repeat(200);
    const before = kannel.received().length;
    expect(httpSms.split?.(text, settings(), 'readable')).toEqual({ texts: [text], segments: 2 });
    await send(textTo('+491522222222', text));
    await kannel.whenReceived(before + 2);
    const segments = receivedBy('+491522222222');
    expect(segments.map(({ segment }) => segment)).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(segments.map((sms) => sms.text).join('')).toBe(text);
  });

  test('what GSM-7 cannot hold travels as UCS-2', async () => {
    const before = kannel.received().length;
    await send(textTo('+491533333333', 'Привет, 世界 😀'));
    await kannel.whenReceived(before + 1);
    expect(receivedBy('+491533333333')).toMatchObject([{ text: 'Привет, 世界 😀', encoding: 'UCS-2' }]);
  });

  test('without a public address there is no report to ask for', async () => {
    const before = kannel.received().length;
    const outcome = await send({ callbackUrl: null, ...textTo('+491544444444', 'quiet') });
    expect(outcome.kind).toBe('accepted');
    await kannel.whenReceived(before + 1);
    expect(receivedBy('+491544444444')).toHaveLength(1);
  });

  test('a wrong password breaks the connection, and sends nothing', async () => {
    const outcome = await send(textTo('+491555555555', 'never'), { password: 'wrong-password' });
    expect(outcome).toMatchObject({ kind: 'connection-broken', providerCode: '403' });
    expect(JSON.stringify(outcome)).not.toContain('wrong-password');
    expect(receivedBy('+491555555555')).toEqual([]);
  });

  test('verify tells a right password from a wrong one without sending', async () => {
    const before = kannel.received().length;
    expect(await httpSms.verify(context())).toMatchObject({ ok: true });
    expect(await httpSms.verify(context({ password: 'wrong' }))).toMatchObject({
      ok: false,
      refused: true,
    });
    expect(kannel.received()).toHaveLength(before);
  });

  describe('people write', () => {
    const from = '+4915166666666';

    /** What Kannel forwards, read as the api would. */
    async function inboundOf(): Promise<readonly Inbound[]> {
      const { method, url, headers, body } = await receiver.next((asked) => asked.url.includes('/incoming'));
      const result = httpSms?.parseCallback?.(
        {
          method: method === 'GET' ? 'GET' : 'POST',
          url,
          publicUrl: null,
          query: new URL(url, receiver.url).searchParams,
          headers: headers as Readonly<Record<string, string | undefined>>,
          body,
          secretMatches: true,
          address: '192.0.2.1',
        },
        settings(),
      );
      if (result?.kind !== 'receipts') throw new Error(JSON.stringify(result));
      return result.inbound ?? [];
    }

    describe.each(['get', 'post'] as const)('by a %s-url', (method) => {
      beforeAll(() => kannel.forwardTo(`${receiver.url}/incoming/${method}`, method));

      test.each([
        ['a text', 'Hello  World @ {x} & 100 % € ü', false],
        ['UCS-2', 'Привет, 世界 😀', true],
      ])('%s arrives as it is', async (_, text, isUnicode) => {
        await kannel.write({ from, to: '13013', text, isUnicode });
        const [read] = await inboundOf();
        expect(read).toMatchObject({ from, to: '13013', type: 'text', body: { text } });
        expect(read?.externalId).toMatch(/^[0-9a-f-]{36}$/);
        expect(Math.abs(read!.sentAt!.getTime() - Date.now())).toBeLessThan(60_000);
      });

      test('a long text, whose segments come in any order, arrives as one', async () => {
        const parts = ['first, ', 'second, ', 'third.'];
        const segments = parts.map((text, index) => ({
          from,
          to: '13013',
          text,
          segment: [index + 1, parts.length] as const,
        }));
        await kannel.write(segments[2]!, segments[0]!, segments[1]!);
        expect(await inboundOf()).toMatchObject([{ from, body: { text: 'first, second, third.' } }]);
      });
    });
  });
});

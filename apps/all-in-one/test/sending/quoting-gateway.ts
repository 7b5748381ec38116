import { type Received, type Receiver, startReceiver } from '@notify/testkit';

/** What the gateway was asked to send. */
export interface Quoted {
  readonly to: string;
  readonly text: string;
}

/** An SMS gateway that quotes what it was asked, wherever it can. */
export interface QuotingGateway extends AsyncDisposable {
  /** Settings of an `http-sms` account. With `rejects` it refuses every message. */
  settings(rejects: boolean): Readonly<Record<string, unknown>>;
  readonly asked: readonly Quoted[];
  /** Resolves when all of its receipts have been taken. */
  settled(): Promise<void>;
}

/**
 * Starts it. A message is asked for in the query of a GET, so it stands in addresses. The first time it fails, and its answer quotes the
 * address and the text, also encoded in several ways. The second time it takes the message, and sends receipts which quote the text: one that names
 * the message by our id, and, before its answer, one by an id that nobody has heard of yet.
 */
export async function startQuotingGateway(): Promise<QuotingGateway> {
  const receiver: Receiver = await startReceiver();
  const asked: Quoted[] = [];
  const times = new Map<string, number>();
  const receipts: Promise<unknown>[] = [];
  let given = 0;

  function quote({ url }: Received, text: string): string {
    const codes = (form: (code: number) => string) =>
      text
        .split('')
        .map((one) => form(one.charCodeAt(0)))
        .join('');
    const hex = (code: number) => code.toString(16);
    const forms = [
      Buffer.from(text).toString('base64'),
      Buffer.from(` ${text}`).toString('base64url'),
      Buffer.from(text).toString('hex'),
      Buffer.from(text, 'utf16le').toString('hex'),
      codes((code) => `%${hex(code)}`),
      codes((code) => `&#${code};`),
      codes((code) => `\\u00${hex(code)}`),
      codes((code) => `${String.fromCharCode(code)}\u200b - `),
    ];
    return JSON.stringify({
      error: `cannot send "${text}" now`,
      url,
      forms,
      digits: text.replaceAll(/\D/g, ''),
    });
  }

  function report(address: string, fields: Readonly<Record<string, string>>): void {
    receipts.push(
      fetch(`${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(fields).toString()}`),
    );
  }

  receiver.behave((request) => {
    const query = new URL(request.url, receiver.url).searchParams;
    const [id, text, to] = [query.get('id') ?? '', query.get('text') ?? '', query.get('to') ?? ''];
    if (text === '') return { status: 404 };
    asked.push({ to, text });
    if (query.get('refuse') === 'yes') return { status: 400, body: quote(request, text) };
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    if (time === 1) return { status: 500, body: quote(request, text) };
    const externalId = `gw-${(given += 1)}`;
    const dlr = query.get('dlr_url') ?? '';
    const hex = Buffer.from(text, 'utf16le').toString('hex');
    const answer = `id:${externalId} sub:001 dlvrd:001 stat:DELIVRD err:000 text:${text} ${hex}`;
    report(dlr.split('?')[0]!, { status: 'sent', ext: externalId, reply: answer });
    setTimeout(() => report(dlr, { status: 'delivered', ext: externalId, reply: answer }), 500);
    return { body: JSON.stringify({ id: externalId, quoted: text }), delayMs: 200 };
  });

  return {
    asked,
    settings: (rejects) => ({
      url: `${receiver.url}/send`,
      method: 'GET',
      from: 'Acme',
      body: {
        type: 'query',
        fields: {
          id: '{{id}}',
          to: '{{to}}',
          text: '{{text}}',
          dlr_url: '{{dlr_url}}',
          refuse: rejects ? 'yes' : 'no',
        },
      },
      externalId: { pointer: '/id' },
      reports: {
        status: 'status',
        externalId: 'ext',
        text: 'reply',
        values: { sent: 'sent', delivered: 'delivered' },
      },
    }),
    async settled() {
      await Promise.all(receipts);
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}

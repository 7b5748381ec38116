import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { goodSettings, metaSecret, twilioToken, vonageSecret } from '../world/providers.ts';
import { hostileText, mutated } from './hostile.ts';
import type { HttpPlan } from './plan.ts';
import type { CallbackAccount } from '../world/world.ts';

type Call = Pick<HttpPlan, 'method' | 'path' | 'headers' | 'body'>;
type Signer = (account: CallbackAccount) => fc.Arbitrary<Call>;

/** What reports say of messages, the other tenant's among them: nothing may come of that. */
const references = fc.constantFrom(
  '<<my.message>>',
  '<<other.message>>',
  '<<other.message>>.1',
  'msg_none',
  '',
  'x'.repeat(300),
  '\u0000',
  '__proto__',
);
const statuses = fc.constantFrom(
  'sent',
  'delivered',
  'read',
  'failed',
  'undelivered',
  'submitted',
  'constructor',
  '',
  '\u0000',
);

/** `References` cannot be signed before they are known, so what is signed has the placeholders' own text. */
const plain = references.map((reference) =>
  reference.replaceAll(/<<my[^>]*>>/g, 'msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90'),
);

/** Callbacks of every provider: signed as the provider does with anything in them, forged, and to addresses of nobody. */
export function callbackPlans(accounts: readonly CallbackAccount[]): fc.Arbitrary<HttpPlan> {
  const reporting = accounts.filter(
    ({ publicUrl, provider }) => publicUrl !== null && signers[provider] !== undefined,
  );
  const signed = reporting.map((account) => signers[account.provider]!(account));
  const stray = fc
    .tuple(
      fc.constantFrom(
        'twilio',
        'vonage',
        'http-sms',
        'whatsapp-cloud',
        'telegram-bot',
        'sandbox',
        '__proto__',
        'x',
      ),
      fc.oneof(
        fc.constantFrom(...accounts.map(({ id }) => id)),
        fc.constantFrom('<<other.account>>', '<<my.account>>', 'x', '%00'),
        fc.uuid(),
      ),
      hostileText,
      fc.constantFrom('GET', 'POST', 'PUT', 'HEAD'),
    )
    .map(([provider, id, text, method]): Call => ({
      method,
      path: `/callbacks/${provider}/${id}/${encodeURIComponent(text.toWellFormed()).slice(0, 500)}`,
      headers: [
        ['content-type', 'application/json'],
        ['x-twilio-signature', 'AAAA'],
        ['x-hub-signature-256', 'sha256=00'],
        ['authorization', 'Bearer a.b.c'],
      ],
      body: method === 'POST' ? text : null,
    }));
  const calls =
    signed.length === 0
      ? stray
      : fc.oneof(
          { weight: 4, arbitrary: fc.nat({ max: signed.length - 1 }).chain((index) => signed[index]!) },
          { weight: 1, arbitrary: stray },
        );
  return calls.map((call) => ({ what: `callback ${call.path.split('/')[2]}`, operation: null, ...call }));
}

/** As the service sees the path: what stands before `/callbacks` is the proxy's. */
function pathOf({ publicUrl }: CallbackAccount): string {
  const url = publicUrl ?? '';
  return url.slice(url.indexOf('/callbacks/'));
}

const field = fc.tuple(
  fc.constantFrom(
    'MessageSid',
    'ErrorCode',
    'ErrorMessage',
    'To',
    'From',
    'OptOutType',
    'Body',
    '__proto__',
    'x',
  ),
  hostileText,
);

const twilio: Signer = (account) =>
  fc
    .tuple(plain, statuses, fc.array(field, { maxLength: 5 }), fc.boolean())
    .map(([reference, status, fields, report]) => {
      const query = `?${new URLSearchParams({ notify_id: reference }).toString()}`;
      const form = new URLSearchParams(
        fields.map(([name, value]): [string, string] => [name, value.toWellFormed()]),
      );
      if (report) form.set('MessageStatus', status);
      const names = [...new Set(form.keys())].sort();
      const text = names
        .map((name) =>
          [...new Set(form.getAll(name))]
            .sort()
            .map((value) => name + value)
            .join(''),
        )
        .join('');
      const signature = createHmac('sha1', twilioToken)
        .update(`${account.publicUrl}${query}${text}`)
        .digest('base64');
      return {
        method: 'POST',
        path: pathOf(account) + query,
        headers: [
          ['content-type', 'application/x-www-form-urlencoded'],
          ['x-twilio-signature', signature],
        ],
        body: form.toString(),
      };
    });

/** A report of Vonage, one of Meta, one of a gateway that writes JSON: the shape, with something wrong somewhere. */
function reports(shape: (reference: string, status: string) => unknown): fc.Arbitrary<string> {
  const good = fc.tuple(plain, statuses).map(([reference, status]) => shape(reference, status));
  return fc.oneof(
    good.map((value) => JSON.stringify(value)),
    mutated(good),
  );
}

const vonage: Signer = (account) =>
  reports((client_ref, status) => ({
    message_uuid: 'uuid',
    client_ref,
    channel: 'sms',
    status,
    error: { title: 1320, detail: 'why' },
  })).map((body) => {
    const sha256 = createHash('sha256').update(body).digest('hex');
    const application_id = goodSettings('')['vonage']?.['applicationId'];
    const claims = { iat: Math.floor(Date.now() / 1_000), application_id, payload_hash: sha256 };
    const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const token = `${text}.${createHmac('sha256', vonageSecret).update(text).digest('base64url')}`;
    return {
      method: 'POST',
      path: pathOf(account),
      headers: [
        ['authorization', `Bearer ${token}`],
        ['content-type', 'application/json'],
      ],
      body,
    };
  });

const meta: Signer = (account) => {
  const posted = reports((biz_opaque_callback_data, status) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [
          {
            field: 'messages',
            value: {
              metadata: { phone_number_id: '106540352242922' },
              statuses: [
                {
                  id: 'wamid.x',
                  status,
                  biz_opaque_callback_data,
                  errors: [{ code: 131026, title: 'no', error_data: { details: 'why' } }],
                },
              ],
            },
          },
        ],
      },
    ],
  })).map((body): Call => {
    const signature = createHmac('sha256', metaSecret).update(body).digest('hex');
    return {
      method: 'POST',
      path: pathOf(account),
      headers: [
        ['x-hub-signature-256', `sha256=${signature}`],
        ['content-type', 'application/json'],
      ],
      body,
    };
  });
  const challenged = hostileText.map((text): Call => {
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': text.toWellFormed().slice(0, 500),
    });
    return { method: 'GET', path: `${pathOf(account)}?${query.toString()}`, headers: [], body: null };
  });
  return fc.oneof({ weight: 3, arbitrary: posted }, { weight: 1, arbitrary: challenged });
};

const gateway: Signer = (account) =>
  fc.tuple(references, statuses, hostileText, fc.boolean()).map(([reference, status, text, post]): Call => {
    const fields = new URLSearchParams({ status, why: text.toWellFormed().slice(0, 500) });
    const query = `notify_id=${encodeURIComponent(reference).replaceAll('%3C%3C', '<<').replaceAll('%3E%3E', '>>')}`;
    if (!post)
      return {
        method: 'GET',
        path: `${pathOf(account)}?${query}&${fields.toString()}`,
        headers: [],
        body: null,
      };
    return {
      method: 'POST',
      path: `${pathOf(account)}?${query}`,
      headers: [['content-type', 'application/x-www-form-urlencoded']],
      body: fields.toString(),
    };
  });

const signers: Readonly<Record<string, Signer>> = {
  twilio,
  vonage,
  'whatsapp-cloud': meta,
  'http-sms': gateway,
};

import { adapters } from '@notify/channels';
import type { PeerCallback, ProviderPeer } from '@notify/testkit';
import fc from 'fast-check';
import { peerOf } from '../world/providers.ts';
import { hostileText, mutated } from './hostile.ts';
import type { HttpPlan } from './plan.ts';
import type { CallbackAccount } from '../world/world.ts';

type Call = Pick<HttpPlan, 'method' | 'path' | 'headers' | 'body'>;

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
  const signed = accounts.flatMap((account) => {
    const peer = peerOf[account.provider];
    return account.publicUrl === null || peer === undefined ? [] : [madeBy(peer, account)];
  });
  const stray = fc
    .tuple(
      fc.constantFrom(...adapters.keys(), '__proto__', 'x'),
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

/** What the provider calls, with hostile values in it, and then signed. */
function madeBy(peer: ProviderPeer, account: CallbackAccount): fc.Arbitrary<Call> {
  // What is signed must be known, so only other callbacks have references.
  const named = peer.sign === undefined ? references : plain;
  return fc
    .tuple(named, statuses, hostileText)
    .chain(([reference, status, text]) =>
      fc
        .constantFrom(...peer.callbacks(reference, status, text.toWellFormed().slice(0, 500)))
        .chain((callback) => bodyOf(callback).map((body) => callOf(callback, body, peer, account))),
    );
}

/** A form whose fields are repeated, missing or others; a document with something wrong somewhere. */
function bodyOf({ form, document }: PeerCallback): fc.Arbitrary<string | null> {
  if (document !== undefined)
    return fc.oneof(fc.constant(JSON.stringify(document)), mutated(fc.constant(document)));
  if (form === undefined) return fc.constant(null);
  const field = fc.tuple(fc.constantFrom(...Object.keys(form), '__proto__', 'x'), hostileText);
  return fc
    .tuple(fc.subarray(Object.entries(form)), fc.array(field, { maxLength: 5 }))
    .map(([kept, more]) => {
      const fields = [...kept, ...more].map(([name, value]): [string, string] => [
        name,
        value.toWellFormed(),
      ]);
      return new URLSearchParams(fields).toString();
    });
}

function callOf(
  { method, query, form }: PeerCallback,
  body: string | null,
  { sign }: ProviderPeer,
  account: CallbackAccount,
): Call {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const withPlaceholders = search.replaceAll('%3C%3C', '<<').replaceAll('%3E%3E', '>>');
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    method,
    path: pathOf(account) + (sign === undefined ? withPlaceholders : search),
    headers: [
      ...(body === null ? [] : [['content-type', type] as const]),
      ...Object.entries(sign?.(`${account.publicUrl}${search}`, body ?? '') ?? {}),
    ],
    body,
  };
}

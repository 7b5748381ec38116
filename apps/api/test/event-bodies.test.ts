import { randomUUID } from 'node:crypto';
import { ContactEventBody, ReceivedEventBody } from '@notify/contract';
import { type InboundBody, type InboundType, inboundTypes } from '@notify/core';
import { type TestDatabase, testDatabase } from '@notify/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isReceived = ajv.compile(closed(ReceivedEventBody));
const isOfContact = ajv.compile(closed(ContactEventBody));

/** The schema without room for fields that it does not name. */
function closed(schema: object): object {
  return { ...schema, additionalProperties: false };
}

/** Everything that could break out of a JSON string, or out of the line that it is on. */
const hostile = [
  '"',
  '\\',
  '\\"',
  '","event":"message.sent',
  "'; drop table events; --",
  '\n\r\t\b\f',
  '\u0001\u001f\u007f',
  '\u2028\u2029\u0085',
  '😀 👩‍👩‍👧‍👦 é',
  '\u202e\u200b\ufeff',
  '</script><!--',
  '%s $1 $$ {{x}}',
  'null',
  '',
].map((text) => [JSON.stringify(text), text] as const);

const ids = () => ({
  event: randomUUID(),
  message: randomUUID(),
  tenant: randomUUID(),
  account: randomUUID(),
  reply: randomUUID(),
});

interface Received {
  readonly type: InboundType;
  readonly body: InboundBody;
  readonly text: string;
  readonly recipient?: string;
  readonly contact?: object | null;
  readonly isReply?: boolean;
}

async function received({ type, body, text, recipient = text, contact = null, isReply = false }: Received) {
  const id = ids();
  const { rows } = await sql<{ body: string }>`
    select received_event_body(${id.event}::uuid, now(), ${id.message}::uuid, ${id.tenant}::uuid, ${id.account}::uuid,
      'sms', ${text}, ${recipient}, ${type}, ${JSON.stringify(body)}::json,
      ${contact === null ? null : JSON.stringify(contact)}::json, ${isReply ? id.reply : null}::uuid, ${text}) as body`.execute(
    database.db,
  );
  return { id, written: rows[0]!.body };
}

async function ofContact(event: string, contact: string, extra: object) {
  const id = ids();
  const { rows } = await sql<{ body: string }>`
    select contact_event_body(${id.event}::uuid, ${event}, now(), ${id.tenant}::uuid, ${id.account}::uuid, 'telegram',
      ${contact}, ${JSON.stringify(extra)}::jsonb) as body`.execute(database.db);
  return { id, written: rows[0]!.body };
}

test.each(hostile)(
  'a message of the text %s is as the schema has it, and says nothing else',
  async (_shown, text) => {
    const contact = { name: text, username: text };
    const { id, written } = await received({ type: 'text', body: { text }, text, contact, isReply: true });
    const body: unknown = JSON.parse(written);
    isReceived(body);
    expect(isReceived.errors).toBeNull();
    expect(body).toMatchObject({
      event: 'message.received',
      messageId: `msg_${id.message}`,
      id: `evt_${id.event}`,
      tenantId: `ten_${id.tenant}`,
      from: text,
      to: text,
      body: { text },
      contact,
      replyTo: `msg_${id.reply}`,
      externalId: text,
    });
  },
);

test.each(hostile)('metadata of the value %s is in the body as it was given', async (_shown, text) => {
  const metadata = JSON.stringify({ a: text, ['__proto__']: text });
  const { rows } = await sql<{ labelled: string; tagged: string; answer: string; plain: string }>`
    select body_with_labels('{"a":1}', ${metadata}::json, null) as labelled,
      body_with_labels('{"a":1}', null, '{"b","null"}'::text[]) as tagged,
      body_of_answer('{"a":1}', ${metadata}) as answer,
      body_with_labels('{"a":1}', null, null) || body_of_answer('{"a":1}', null) as plain`.execute(
    database.db,
  );
  expect(rows[0]).toEqual({
    labelled: `{"a":1,"metadata":${metadata},"tags":[]}`,
    tagged: '{"a":1,"metadata":{},"tags":["b","null"]}',
    answer: `{"a":1,"replyToMetadata":${metadata}}`,
    plain: '{"a":1}{"a":1}',
  });
});

const bodies: Readonly<Record<InboundType, InboundBody>> = {
  text: { text: 'a' },
  image: { type: 'image', caption: '"', filename: null, mimeType: 'image/png', bytes: 7 },
  video: { type: 'video', caption: null, filename: null, mimeType: null, bytes: null },
  audio: { type: 'audio', caption: null, filename: 'a"\n.ogg', mimeType: null, bytes: null },
  document: { type: 'document', caption: null, filename: '\u2028', mimeType: 'x', bytes: 0 },
  location: { latitude: -1.5, longitude: 1e-7, name: '"', address: null },
  contact: { contacts: [{ name: null, phones: ['+1', '"'] }] },
  reaction: { emoji: '👍' },
  button: { text: '"', payload: null },
  unsupported: { kind: 'edited"' },
};

test.each([...inboundTypes])('a message of the type %s is as the schema has it', async (type) => {
  const { written } = await received({ type, body: bodies[type], text: 'x', recipient: '' });
  const body: unknown = JSON.parse(written);
  isReceived(body);
  expect(isReceived.errors).toBeNull();
  expect(body).toMatchObject({ type, body: bodies[type], contact: null, replyTo: null, to: '' });
});

test.each(hostile)(
  'a contact and a reference of the text %s are as the schema has them',
  async (_shown, text) => {
    const { id, written } = await ofContact('contact.paired', text, { reference: text });
    const body: unknown = JSON.parse(written);
    isOfContact(body);
    expect(isOfContact.errors).toBeNull();
    expect(body).toMatchObject({
      event: 'contact.paired',
      messageId: null,
      id: `evt_${id.event}`,
      to: text,
      reference: text,
      sequence: null,
    });
  },
);

test.each(['keyword', 'provider', 'api'])(
  'a change of consent by %s is as the schema has it',
  async (source) => {
    for (const event of ['contact.opted-out', 'contact.opted-in']) {
      const body: unknown = JSON.parse((await ofContact(event, '4917012345678', { source })).written);
      isOfContact(body);
      expect(isOfContact.errors).toBeNull();
      expect(body).toMatchObject({ event, source });
    }
  },
);

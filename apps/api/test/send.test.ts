import { EventBody } from '@notify/contract';
import { Ajv } from 'ajv';
import { formats } from '../src/http/input/formats.ts';
import { messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

const text = { to: '+15550001000', text: 'hello' };

function storedMessages(tenantId: string) {
  return service.db.selectFrom('messages').selectAll().where('tenant_id', '=', tenantId).execute();
}

test('a text is stored as no part of a bulk call, and its account is woken', async () => {
  const own = await service.tenant();
  const { body } = await own.notify('post', '/sms/text', text).expect(202);
  expect(await storedMessages(own.tenantId)).toMatchObject([{ id: body.id.slice(4), bulk: false }]);
  expect(service.wakes).toContain(`dispatch fast ${body.channelAccountId}`);
});

test('however many requests with one key race, one message is stored', async () => {
  const own = await service.tenant();
  const keyed = { ...text, idempotencyKey: 'race' };
  await Promise.all(Array.from({ length: 20 }, () => own.notify('post', '/sms/text', keyed).expect(202)));
  expect(await storedMessages(own.tenantId)).toHaveLength(1);
});

test('the events of a send are stored as the contract describes them, with nothing beside', async () => {
  const own = await service.tenant();
  const messages = [
    { ...text, text: 'a "quoted" text' },
    { ...text, to: '12' },
  ];
  await own.notify('post', '/sms/bulk', { messages }).expect(202);
  const rows = await service.db
    .selectFrom('events')
    .select('body')
    .where('tenant_id', '=', own.tenantId)
    .orderBy('event')
    .execute();
  const events = rows.map(({ body }) => JSON.parse(body) as unknown);
  const validate = new Ajv({ strict: true, formats }).compile({ ...EventBody, additionalProperties: false });
  for (const event of events) expect([validate(event), validate.errors]).toEqual([true, null]);
  expect(events).toMatchObject([{ event: 'message.failed' }, { event: 'message.queued', errorCode: null }]);
  expect(events[1]).not.toHaveProperty('error');
});

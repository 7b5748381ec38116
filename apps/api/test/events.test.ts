import { EventBody } from '@notify/contract';
import { Ajv } from 'ajv';
import { formats } from '../src/http/formats.ts';
import { messagingApp } from './messaging-app.ts';

test('what webhooks receive is what the contract says of it, with nothing beside', async () => {
  await using service = await messagingApp();
  const own = await service.tenant();
  const messages = [
    { to: '+15550001000', text: 'a "quoted" text' },
    { to: '12', text: 'not to be sent' },
  ];
  const { body: sent } = await own.notify('post', '/sms/bulk', { messages }).expect(202);
  const rows = await service.db
    .selectFrom('events')
    .select('body')
    .where('tenant_id', '=', own.tenantId)
    .orderBy('event')
    .execute();
  const events = rows.map(({ body }) => JSON.parse(body) as unknown);
  const validate = new Ajv({ strict: true, formats }).compile({ ...EventBody, additionalProperties: false });
  for (const event of events) expect([validate(event), validate.errors]).toEqual([true, null]);
  expect(events).toMatchObject([
    {
      event: 'message.failed',
      messageId: sent[1].id,
      error: sent[1].error,
      errorCode: 'invalid-recipient',
      sequence: 1,
    },
    { event: 'message.queued', messageId: sent[0].id, to: '+15550001000', status: 'queued', errorCode: null },
  ]);
  expect(events[1]).not.toHaveProperty('error');
});

import type { Message } from '@notify/sdk';
import { detailsOf } from './sent-message.ts';

test('a message that was accepted just now is shown with nothing known of what became of it', () => {
  const at = '2026-01-31T09:30:00.000Z';
  const sent: Message = {
    id: 'msg_1',
    messageId: 'msg_1',
    tenantId: 'ten_1',
    channelAccountId: 'a',
    provider: 'sms',
    to: '+491511',
    type: 'text',
    status: 'queued',
    body: { text: 'Hi' },
    scheduledAt: null,
    metadata: { orderId: '4711' },
    tags: ['shipping'],
    createdAt: at,
  };
  expect(detailsOf(sent, 'msg_0')).toMatchObject({
    messageId: 'msg_1',
    direction: 'outbound',
    status: 'queued',
    replyTo: 'msg_0',
    body: { text: 'Hi' },
    metadata: { orderId: '4711' },
    tags: ['shipping'],
    deliveredAt: null,
    errorCode: null,
  });
  expect(detailsOf(sent, null)).not.toHaveProperty('tenantId');
});

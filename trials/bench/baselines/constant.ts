import { randomUUID } from 'node:crypto';
import type { MessageRow } from '@notify/db/messages';
import type { ApiDeps } from '../../../apps/api/src/deps.ts';

/** Stores nothing: accepts every message, and answers every look-up with the same message. */
export function constant(deps: ApiDeps): ApiDeps {
  return {
    ...deps,
    accept: async (items) =>
      items.map(() => ({
        kind: 'accepted',
        repeated: false,
        message: { id: randomUUID(), createdAt: new Date(), channelAccountId: account },
      })),
    lookUp: async () => message,
  };
}

const account = randomUUID();
const at = new Date();

const message: MessageRow = {
  id: randomUUID(),
  tenant_id: randomUUID(),
  channel_account_id: account,
  channel: 'sms',
  recipient: '+14155550123',
  type: 'text',
  body: { text: 'Your code is 1234. It is good for ten minutes.' },
  bulk: false,
  status: 'delivered',
  external_id: 'gw-1234',
  error: null,
  error_code: null,
  segments: 1,
  parts: 1,
  delivered_parts: [],
  emitted: ['queued', 'sent', 'delivered'],
  possible_duplicate: false,
  attempts: 1,
  created_at: at,
  updated_at: at,
  scheduled_at: null,
  urgent: null,
  postponed_ms: null,
  expires_at: at,
  sent_at: at,
  delivered_at: at,
  read_at: null,
  failed_at: null,
  received_at: null,
  sender: null,
  contact: null,
  reply_to: null,
  group_id: null,
  api_key_id: null,
  idempotency_key: null,
};

import { createHmac } from 'node:crypto';
import type { ProviderPeer } from '../provider-peer.ts';
import { startTelegramPeer, usualToken } from './telegram-peer.ts';

export const peer: ProviderPeer = {
  start: startTelegramPeer,
  recipient: '1000',
  accounts: () => [{ botToken: usualToken }],
  callbacks: (_reference, _status, text) => [
    {
      method: 'POST',
      document: {
        update_id: 1,
        message: { message_id: 1, date: 1_767_225_600, chat: { id: 1000, type: 'private' }, text },
      },
    },
  ],
  // Telegram repeats the secret with which the webhook was set. This is how an account makes it.
  sign: () => ({
    'x-telegram-bot-api-secret-token': createHmac('sha256', usualToken)
      .update('notify: secret_token of the webhook')
      .digest('base64url'),
  }),
};

import type { ProviderPeer } from '../provider-peer.ts';
import { accountSettings, signatureOf, startTwilioPeer } from './twilio-peer.ts';

export const peer: ProviderPeer = {
  start: startTwilioPeer,
  recipient: '+491511234567',
  accounts: () => [accountSettings],
  callbacks: (reference, status, text) => [
    {
      method: 'POST',
      query: { notify_id: reference },
      form: {
        MessageSid: `SM${'0'.repeat(32)}`,
        MessageStatus: status,
        ErrorCode: '30003',
        ErrorMessage: text,
        From: accountSettings.from,
        To: '+491511234567',
      },
    },
    {
      method: 'POST',
      form: {
        MessageSid: text,
        From: '+491511234567',
        To: accountSettings.from,
        Body: text,
        OptOutType: 'STOP',
      },
    },
  ],
  sign: (url, body) => ({
    'x-twilio-signature': signatureOf(url, new URLSearchParams(body.toString())),
  }),
};

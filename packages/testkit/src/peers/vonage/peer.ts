import type { ProviderPeer } from '../provider-peer.ts';
import { accountSettings, newKeyPair, startVonagePeer, tokenOf } from './vonage-peer.ts';

export const peer: ProviderPeer = {
  start: startVonagePeer,
  recipient: '+491511234567',
  accounts: () => [accountSettings(newKeyPair().privateKey)],
  callbacks: (reference, status, text) => [
    {
      method: 'POST',
      document: {
        message_uuid: 'uuid',
        client_ref: reference,
        channel: 'sms',
        status,
        error: { title: 1320, detail: text },
      },
    },
    {
      method: 'POST',
      document: { message_uuid: 'uuid', channel: 'sms', message_type: 'text', from: '491511234567', text },
    },
  ],
  sign: (_url, body) => ({ authorization: `Bearer ${tokenOf(body)}` }),
};

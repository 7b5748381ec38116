import type { ProviderPeer } from '../provider-peer.ts';
import { accountSettings, startWhatsappCloudPeer } from './whatsapp-cloud-peer.ts';
import { callbackDocument, signatureOf, usualNumber } from './whatsapp-cloud-state.ts';

export const peer: ProviderPeer = {
  async start(port = 0) {
    const cloud = await startWhatsappCloudPeer({ port });
    return { ...cloud, settings: cloud.settings() };
  },
  recipient: '+491511234567',
  accounts: () => [accountSettings(usualNumber)],
  callbacks: (reference, status, text) => [
    {
      method: 'POST',
      document: callbackDocument(usualNumber, [
        {
          id: 'wamid.x',
          status,
          biz_opaque_callback_data: reference,
          errors: [{ code: 131026, title: 'no', error_data: { details: text } }],
        },
      ]),
    },
    { method: 'GET', query: { 'hub.mode': 'subscribe', 'hub.challenge': text } },
  ],
  sign: (_url, body) => ({ 'x-hub-signature-256': signatureOf(body) }),
};

import type { ProviderPeer } from '../provider-peer.ts';
import { accountSettings, startSmsGateway } from './sms-gateway.ts';

const values = { delivered: 'delivered', failed: 'failed', sent: 'sent' };

export const peer: ProviderPeer = {
  start: startSmsGateway,
  recipient: '+491511234567',
  accounts: (url) =>
    [
      { status: 'status', externalId: '/id', text: 'why' },
      { status: 'status', externalId: 'id', id: 'ref', text: 'why' },
      { status: '/status', externalId: '/a/0/a', id: '/ref', text: '/why' },
    ].map((fields) => ({
      ...accountSettings(`${url}/send`),
      verifyUrl: `${url}/verify`,
      reports: { ...fields, values },
    })),
  callbacks(reference, status, text) {
    const query = { notify_id: reference };
    return [
      { method: 'GET', query: { ...query, status, why: text } },
      { method: 'POST', query, form: { status, why: text } },
      { method: 'POST', document: { ref: reference, status, why: text, a: [{ a: 'x' }] } },
    ];
  },
};

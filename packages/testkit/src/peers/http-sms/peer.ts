import { createHmac } from 'node:crypto';
import type { AccountSettings, PeerCallback, ProviderPeer } from '../provider-peer.ts';
import { type GatewayMessage, nowSeconds, type Protocol } from './profiles/protocol.ts';
import { gatewayProtocols } from './profiles/protocols.ts';
import { accountSettings, startSmsGateway } from './sms-gateway.ts';

const values = { delivered: 'delivered', failed: 'failed', sent: 'sent' };
const protocols: readonly Protocol[] = Object.values(gatewayProtocols);

/** How the gateway of the last account by template signs. */
const secret = 'gateway-secret';
const callbackSignature = {
  type: 'hmac',
  header: 'X-Gateway-Signature',
  secret,
  algorithm: 'sha512',
  signed: '{{timestamp}}.{{url}}.{{body}}',
  timestampHeader: 'X-Gateway-Timestamp',
};

export const peer: ProviderPeer = {
  start: startSmsGateway,
  recipient: '+491511234567',
  accounts: (url) => [...byTemplate(url), ...protocols.map((protocol) => protocol.settings(url))],
  callbacks(reference, status, text) {
    const query = { notify_id: reference };
    const message = messageOf(reference, text);
    return [
      { method: 'GET', query: { ...query, status, why: text } },
      { method: 'POST', query, form: { status, why: text } },
      { method: 'POST', document: { ref: reference, status, why: text, a: [{ a: 'x' }] } },
      ...protocols.flatMap((protocol): readonly PeerCallback[] => [
        protocol.report(message, 'x', 'delivered'),
        protocol.write({ id: 'x', from: '+491511234567', text }),
      ]),
    ];
  },
  sign(url, body) {
    const signers = [ownSignature, ...protocols.map((protocol) => protocol.sign.bind(protocol))];
    return Object.fromEntries(signers.flatMap((sign) => Object.entries(sign(url, body))));
  },
};

function byTemplate(url: string): AccountSettings[] {
  const reports = [
    { status: 'status', externalId: '/id', text: 'why' },
    { status: 'status', externalId: 'id', id: 'ref', text: 'why' },
    { status: '/status', externalId: '/a/0/a', id: '/ref', text: '/why' },
  ];
  const accounts = reports.map((fields) => ({
    ...accountSettings(`${url}/send`),
    verifyUrl: `${url}/verify`,
    reports: { ...fields, values },
  }));
  return [...accounts, { ...accounts[0], callbackSignature }];
}

function messageOf(reference: string, text: string): GatewayMessage {
  return { to: '+491511234567', from: null, text, reference, reportUrl: null, lifetimeSeconds: null };
}

function ownSignature(url: string, body: string | Buffer): Readonly<Record<string, string>> {
  const timestamp = nowSeconds();
  const mac = createHmac('sha512', secret).update(`${timestamp}.${url}.`).update(body);
  return { 'x-gateway-timestamp': timestamp, 'x-gateway-signature': mac.digest('hex') };
}

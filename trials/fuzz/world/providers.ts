import { type AccountSettings, peers, type ProviderPeer } from '@notify/testkit';

/** The peer of each provider: how it signs, and settings of accounts. */
export const peerOf: Readonly<Record<string, ProviderPeer>> = peers;

/** Settings that make working accounts of the provider, as far as a stand-in at `outside` goes. */
export function goodSettings(provider: string, outside: string): readonly AccountSettings[] {
  return provider === 'sandbox' ? [{ channel: 'sms' }] : (peerOf[provider]?.accounts(outside) ?? []);
}

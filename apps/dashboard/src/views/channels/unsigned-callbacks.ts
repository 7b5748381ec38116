import type { ChannelAccount } from '@notify/sdk';
import { gatewayProfiles } from '../../api/gateway-profiles.ts';

/**
 * What to do about an account whose callbacks anybody can send who learns the callback URL. Null if its gateway signs them, and for
 * providers that always do.
 */
export function unsignedAdvice({
  provider,
  settings,
}: Pick<ChannelAccount, 'provider' | 'settings'>): string | null {
  if (provider !== 'http-sms') return null;
  const { profile } = settings;
  const { signedBy = 'callbackSignature', label = 'your gateway' } =
    (typeof profile === 'string' ? gatewayProfiles[profile] : undefined) ?? {};
  if (settings[signedBy] !== undefined) return null;
  return signedBy === 'callbackSignature'
    ? `If ${label} signs its callbacks, sends a password or calls from known addresses, choose that under Settings → More settings → Signature of callbacks.`
    : `${label} signs its callbacks: enter its ${words[signedBy] ?? 'key'} under Settings.`;
}

const words: Readonly<Record<string, string>> = { publicKey: 'public key', signingKey: 'signing key' };

import type { Provider } from '@notify/sdk';
import { guides, type ProviderGuide } from '../../api/provider-guides.ts';
import { channelName } from '../../parts/channel-name.ts';

/** Of a provider that the service has and this dashboard does not know. */
const unknown: ProviderGuide = { place: 100, summary: '', needs: '', before: [] };

export function guideOf(provider: string): ProviderGuide {
  return guides[provider] ?? unknown;
}

/** The display names of a provider's channels. */
export function channelNameOf({ channel }: Pick<Provider, 'channel'>): string {
  return channel === 'any' ? 'Any channel' : channelName(channel);
}

/** Providers in display order. */
export function inOrder<T extends Pick<Provider, 'id'>>(providers: readonly T[]): T[] {
  return providers.toSorted((one, other) => guideOf(one.id).place - guideOf(other.id).place);
}

/** The abilities of a provider's accounts, in words. */
export function abilitiesOf({ capabilities }: Pick<Provider, 'capabilities'>): string[] {
  return [
    capabilities.media ? 'Text and files' : 'Text',
    ...(capabilities.templates ? ['Templates'] : []),
    ...(capabilities.reportsDelivery ? ['Delivery receipts'] : []),
    ...(capabilities.reportsRead ? ['Read receipts'] : []),
    ...(capabilities.inbound ? ['Incoming messages'] : []),
  ];
}

import type { Adapter } from './channel.ts';

/** Base URLs that the operator has set. */
export type ProviderUrls = readonly { readonly provider: string; readonly url: string }[];

/** Where a provider is reached: as the operator has set it, else as the adapter says; empty where the settings say it. */
export function baseUrlOf(adapter: Adapter, set: ProviderUrls): string {
  const own = set.find(({ provider }) => provider === adapter.id);
  return (own?.url ?? adapter.baseUrl ?? '').replace(/\/$/, '');
}

import type { Adapter } from './channel.ts';

/** Base URLs that the operator has set. */
export type ProviderUrls = readonly { readonly provider: string; readonly url: string }[];

/** Where a provider is reached: as the operator has set it, else as the adapter says; empty where the settings say it. */
export function baseUrlOf(adapter: Adapter, set: ProviderUrls): string {
  const own = set.find(({ provider }) => provider === adapter.id);
  return (own?.url ?? adapter.baseUrl ?? '').replace(/\/$/, '');
}

/** What is wrong with the base URLs that are set, in a line naming the providers that take one; null: nothing. */
export function providerUrlsFault(set: ProviderUrls, adapters: ReadonlyMap<string, Adapter>): string | null {
  const unknown = set.find(({ provider }) => typeof adapters.get(provider)?.baseUrl !== 'string');
  if (unknown === undefined) return null;
  const known = [...adapters.values()].filter(({ baseUrl }) => baseUrl !== null).map(({ id }) => id);
  return `PROVIDER_URLS: "${unknown.provider}" is no provider with an address of its own; these are ${known.join(', ')}`;
}

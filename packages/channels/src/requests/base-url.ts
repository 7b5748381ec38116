import type { Adapter } from '../adapter/channel.ts';

/** Base URLs that the operator has set. */
export type ProviderUrls = readonly { readonly provider: string; readonly url: string }[];

/** The base URL of a provider: the operator's, else the adapter's. Empty if the account's settings name the address. */
export function baseUrlOf(adapter: Adapter, set: ProviderUrls): string {
  const own = set.find(({ provider }) => provider === adapter.id);
  return (own?.url ?? adapter.baseUrl ?? '').replace(/\/$/, '');
}

/**
 * Describes in one line the first base URL whose provider does not take one, and lists the providers that do. Null when
 * all are fine.
 */
export function providerUrlsFault(set: ProviderUrls, adapters: ReadonlyMap<string, Adapter>): string | null {
  const unknown = set.find(({ provider }) => typeof adapters.get(provider)?.baseUrl !== 'string');
  if (unknown === undefined) return null;
  const known = [...adapters.values()].filter(({ baseUrl }) => baseUrl !== null).map(({ id }) => id);
  return `PROVIDER_URLS: "${unknown.provider}" is no provider with its own address; these are ${known.join(', ')}`;
}

import { createHttpClient, type HttpClient, type HttpClientOptions } from '@notify/egress';
import type { Adapter } from '../adapter/channel.ts';
import type { ProviderUrls } from './base-url.ts';

/** The guarded clients that adapters call with. */
export interface ProviderHttp {
  /**
   * The client for an adapter. An adapter with a base URL may call the address that the operator set, even a private
   * one. An adapter whose address tenants choose may not.
   */
  of(adapter: Adapter): HttpClient;
  close(): Promise<void>;
}

/** Opens both clients. */
export function openProviderHttp(options: HttpClientOptions, set: ProviderUrls): ProviderHttp {
  const chosenByTenants = createHttpClient(options);
  const setByOperator = createHttpClient({ ...options, allow: [...options.allow, ...set.map(targetOf)] });
  return {
    of: (adapter) => (adapter.baseUrl === null ? chosenByTenants : setByOperator),
    close: async () => {
      await Promise.all([chosenByTenants.close(), setByOperator.close()]);
    },
  };
}

/** `host:port` of a base URL, as `EGRESS_ALLOW` writes it. */
function targetOf({ url }: ProviderUrls[number]): string {
  const { hostname, port, protocol } = new URL(url);
  const implied = protocol === 'https:' ? '443' : '80';
  return `${hostname}:${port === '' ? implied : port}`;
}

import type { HttpClient } from '@notify/egress';

/** What a call to the provider for one account needs. */
export interface SendContext<Settings> {
  readonly settings: Settings;
  /** Every call to the provider goes through this client. */
  readonly http: HttpClient;
  /** The provider's address: the adapter's `baseUrl`, unless the operator has set another. Has no trailing slash. */
  readonly baseUrl: string;
  /** Aborts the call at its deadline or at shutdown. */
  readonly signal: AbortSignal;
}

/** The essentials about a provider for tenants, as the dashboard shows them. The provider's README has more. */
export interface ProviderGuide {
  /** The dashboard lists providers by this number: WhatsApp from 10, Telegram from 20, SMS from 30. */
  readonly place: number;
  /** A line on what it is and when to use it. */
  readonly summary: string;
  /** What to have at hand before starting, as the end of “You need”. */
  readonly needs: string;
  /** The steps at the provider before the form can be filled in. */
  readonly before: readonly string[];
  /** A risk to know in advance. */
  readonly caution?: string;
  /** Where to enter the callback URL. */
  readonly callback?: {
    readonly need: 'required' | 'optional';
    readonly steps: readonly string[];
    /** The provider asks for a verify token together with the URL. */
    readonly verifyToken?: boolean;
  };
}

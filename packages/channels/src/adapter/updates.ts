import type { Consent, Inbound, MovedContact } from './inbound.ts';
import type { SendContext } from './send-context.ts';

/** Where a provider should post the updates of an account. */
export interface UpdateHook {
  /** Ends in the secret of the account. No text may show it. */
  readonly url: string;
  /** Whether an address belongs to this account, perhaps below an earlier `PUBLIC_URL`. */
  isOurs(url: string): boolean;
}

/** A request about updates that failed. `refused`: the provider rejected the settings. */
export interface UpdatesFailed {
  readonly kind: 'failed';
  readonly refused: boolean;
  readonly detail: string;
  /** How long the provider wants us to wait, in ms; null if it did not say. */
  readonly afterMs: number | null;
}

/** Another program reads the updates. `by` says how; `detail` advises the tenant. */
export interface UpdatesTaken {
  readonly kind: 'taken';
  readonly by: 'webhook' | 'poll';
  readonly detail: string;
}

/** The answer to a request about where updates go. */
export type Subscribed =
  /** `detail` has the provider's latest complaint about our address, if it has one. */
  | { readonly kind: 'done'; readonly detail: string | null }
  /** The provider cannot post to such an address. Updates can still be read. */
  | { readonly kind: 'unreachable'; readonly detail: string }
  | UpdatesTaken
  | UpdatesFailed;

/** Updates that were read from the provider. */
export interface ReadUpdates {
  readonly kind: 'read';
  readonly inbound: readonly Inbound[];
  readonly moved: readonly MovedContact[];
  readonly consents: readonly Consent[];
  /** Asking with this number tells the provider that these updates are stored. Null if there were none. */
  readonly next: string | null;
  /** Called after the commit: tells the provider what its app shows the person. Best effort; never throws. */
  acknowledge(context: SendContext<unknown>): Promise<void>;
}

/**
 * How updates of an account arrive, for providers that must be told where to post them, or be asked for them. Methods
 * never throw because of the provider or the network.
 */
export interface Updates<Settings = unknown> {
  /** Whether the tenant wants this account to receive. */
  wanted(settings: Settings): boolean;
  /** Has updates posted to `hook.url`. Leaves the address of another program unchanged. May be repeated. */
  subscribe(hook: UpdateHook, context: SendContext<Settings>): Promise<Subscribed>;
  /** Ends posting to an address of ours, so that updates can be read. Leaves another program's unchanged. */
  unsubscribe(hook: Pick<UpdateHook, 'isOurs'>, context: SendContext<Settings>): Promise<Subscribed>;
  /**
   * Reads updates from number `next` on, which confirms those before it; null reads from the first unconfirmed one.
   * Waits up to `waitMs` for the first.
   */
  read(
    request: { readonly next: string | null; readonly waitMs: number },
    context: SendContext<Settings>,
  ): Promise<ReadUpdates | UpdatesTaken | UpdatesFailed>;
}

import type { Adapter, ProviderHttp, Receipt } from '@notify/channels';
import type { CallbackAccount, CallbackAddress } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import type {
  AcceptItem,
  AcceptResult,
  LookedUp,
  LookUp,
  MessagePage,
  MessageSearch,
  Original,
} from '@notify/db/messages';
import type { Usage, UsageQuery } from '@notify/db/usage';
import type { Waker } from '@notify/queue';
import type { Log, Secrets, Settings } from '@notify/runtime';
import { createLoginLimits, type LoginLimits } from './auth/login-limits.ts';
import { createPasswords, type Passwords } from './auth/passwords.ts';
import { createCallbackAccounts } from './callbacks/find-account.ts';
import { createReceiver } from './callbacks/receive.ts';
import type { RateStore } from './http/rate-store.ts';
import { createKeyRates, type KeyRates } from './keys/key-rates.ts';
import { createKeyRing, type KeyRing } from './keys/key-ring.ts';
import { createLinkStreams, type LinkStreams } from './links/link-streams.ts';
import { createMessageSearch } from './messages/search.ts';
import { createAcceptor } from './notify/accept.ts';
import { createLookUp } from './notify/look-up.ts';
import { createUsageReader } from './usage/reader.ts';

/** What `main.ts` opens, and closes again. */
export interface Opened {
  readonly db: Db;
  /**
   * For reading what the dashboard shows: a few connections of their own, so that sends never wait for it, which plan as
   * usual and end what takes long.
   */
  readonly dashboardDb: Db;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly waker: Waker;
  readonly http: ProviderHttp;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly log: Log;
  readonly rates: RateStore;
}

/** Everything a handler may touch. */
export interface ApiDeps extends Opened {
  readonly keys: KeyRing;
  readonly keyRates: KeyRates;
  /** Of messages, by tenant. */
  readonly messageRates: KeyRates;
  /** Of requests, by session. */
  readonly sessionRates: KeyRates;
  /** Of requests to verify an account, by tenant. */
  readonly verificationRates: KeyRates;
  /** Of requests to test a webhook, by tenant. */
  readonly webhookTestRates: KeyRates;
  readonly loginLimits: LoginLimits;
  readonly passwords: Passwords;
  readonly linkStreams: LinkStreams;
  /**
   * Stores messages in the next group commit and wakes whom they concern; answers in the order of the items. Besides
   * what the commit says, a tenant with too many waiting messages is refused with `limit-reached`.
   */
  readonly accept: (items: readonly AcceptItem[]) => Promise<readonly SendResult[]>;
  /** The same for one message that replaces one that failed; not gathered, for it is rare. */
  readonly resend: (item: AcceptItem, original: Original) => Promise<SendResult>;
  /** The newest messages of a tenant that fit. */
  readonly searchMessages: (search: Omit<MessageSearch, 'budgetMs'>) => Promise<MessagePage>;
  /** The figures of a tenant. */
  readonly readUsage: (query: UsageQuery) => Promise<Usage>;
  /** Looks a message up, together with all that are asked for meanwhile. */
  readonly lookUp: (lookUp: LookUp) => Promise<LookedUp>;
  /** The account that a callback names, as the database has it now; null where the provider has none of that id. */
  readonly findCallbackAccount: (address: CallbackAddress) => Promise<CallbackAccount | null>;
  /** Commits receipts of an account, then joins them to their messages. */
  readonly receive: (
    account: { readonly id: string; readonly tenantId: string },
    receipts: readonly Receipt[],
  ) => Promise<void>;
}

/** What became of one message that a tenant wanted sent. */
export type SendResult = AcceptResult | { readonly kind: 'refused'; readonly code: 'limit-reached' };

/** Adds what the api keeps in memory to what is open. */
export async function createDeps(opened: Opened): Promise<ApiDeps> {
  const ratesOf = (name: string): KeyRates => createKeyRates(opened.rates.counter(name, 60));
  return {
    ...opened,
    keys: createKeyRing(opened.db, opened.log),
    keyRates: ratesOf('api-key'),
    messageRates: ratesOf('messages'),
    sessionRates: ratesOf('session'),
    verificationRates: ratesOf('verify'),
    webhookTestRates: ratesOf('webhook-test'),
    loginLimits: createLoginLimits(opened.rates, opened.settings),
    passwords: await createPasswords(opened.settings.bcryptCost),
    linkStreams: createLinkStreams(opened.db, opened.log),
    ...createAcceptor(opened),
    searchMessages: createMessageSearch(opened.dashboardDb),
    readUsage: createUsageReader(opened.dashboardDb),
    lookUp: createLookUp(opened.db),
    findCallbackAccount: createCallbackAccounts(opened.db),
    receive: createReceiver(opened),
  };
}

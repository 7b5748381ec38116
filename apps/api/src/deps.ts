import type { Adapter, ProviderHttp } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { createLooker, type Looker } from '@notify/db/events';
import { createIntake, createWebhookWaker, type Intake } from '@notify/dispatch';
import type { Waker } from '@notify/queue';
import type { Log, Secrets, Settings } from '@notify/runtime';
import type { SharedPlaces } from '@notify/turns';
import { type Admission, createAdmission } from './admission/admission.ts';
import { createAskingPlaces } from './channel-accounts/asking-places.ts';
import { createKnownBearers, type KnownBearers } from './auth/known-bearers.ts';
import { createLoginLimits, type LoginLimits } from './auth/login-limits.ts';
import { createPasswords, type Passwords } from './auth/passwords.ts';
import { type CallbackAccountFinder, createCallbackAccounts } from './callbacks/find-account.ts';
import { createLearner, type Learner } from './callbacks/learner.ts';
import { createReceiptStore, type StoreReceipts } from './callbacks/receive.ts';
import { createStrangers, type Strangers } from './callbacks/strangers.ts';
import type { RateStore } from './http/rate-store.ts';
import { createEventStreams, type EventStreams } from './events/event-streams.ts';
import { listedDays } from './events/place.ts';
import { createKeyRates, type KeyRates } from './keys/key-rates.ts';
import { createKeyRing, type KeyRing } from './keys/key-ring.ts';
import { createLinkStreams, type LinkStreams } from './links/link-streams.ts';
import { createLinkMails, type LinkMails } from './mail/link-mails.ts';
import type { Mailer } from './mail/mailer.ts';
import { createFileStreams, type FileStreams } from './media/file-streams.ts';
import { createSearches, type Searches } from './messages/search.ts';
import { type Acceptor, createAcceptor } from './sending/accept.ts';
import {
  createLookUp,
  createHeardFinder,
  createQuotableFinder,
  type MessageFinder,
  type HeardFinder,
  type QuotableFinder,
} from './sending/look-up.ts';
import { createKnownTemplates, type KnownTemplates } from './templates/known-templates.ts';
import { createUsageReader, type UsageReader } from './usage/reader.ts';
import { createVerifier, type Verifier } from './verifications/verifier.ts';

/** Resources that `start.ts` opens and closes again. */
export interface Opened {
  readonly db: Db;
  /**
   * A few separate connections for the dashboard's queries, so that sends never wait for them. They use the planner's
   * usual settings and cancel slow queries.
   */
  readonly dashboardDb: Db;
  /** For lists of messages, groups and verifications, and usage figures: a replica that may be behind, or the same as `dashboardDb`. */
  readonly listDb: Db;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly waker: Waker;
  readonly http: ProviderHttp;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly log: Log;
  readonly rates: RateStore;
  /** Null without a mail server. */
  readonly mailer: Mailer | null;
}

/** Everything a handler may touch. */
export interface ApiDeps extends Opened, Acceptor, Searches {
  readonly admission: Admission;
  readonly keys: KeyRing;
  readonly bearers: KnownBearers;
  readonly keyRates: KeyRates;
  /** Rates of messages, by tenant. */
  readonly messageRates: KeyRates;
  /** Rates of requests, by session. */
  readonly sessionRates: KeyRates;
  /** Rates of requests to verify an account, by tenant. */
  readonly verificationRates: KeyRates;
  /** Rates of requests to test a webhook, by tenant. */
  readonly webhookTestRates: KeyRates;
  /** The places of questions to providers about settings. */
  readonly askingPlaces: SharedPlaces;
  readonly loginLimits: LoginLimits;
  readonly passwords: Passwords;
  readonly linkMails: LinkMails;
  readonly linkStreams: LinkStreams;
  readonly eventLooker: Looker;
  readonly eventStreams: EventStreams;
  readonly fileStreams: FileStreams;
  readonly readUsage: UsageReader;
  readonly lookUp: MessageFinder;
  readonly findQuotable: QuotableFinder;
  readonly findHeard: HeardFinder;
  readonly findCallbackAccount: CallbackAccountFinder;
  readonly strangers: Strangers;
  readonly receive: StoreReceipts;
  readonly intake: Intake;
  readonly learn: Learner;
  readonly templates: KnownTemplates;
  readonly verifier: Verifier;
}

/** Adds the api's in-memory state to the open resources. */
export async function createDeps(opened: Opened): Promise<ApiDeps> {
  const ratesOf = (name: string): KeyRates => createKeyRates(opened.rates.counter(name, 60));
  const { dashboardDb, settings, log } = opened;
  const eventLooker = createLooker(dashboardDb);
  const days = listedDays(settings.deliveryRetentionDays);
  const acceptor = createAcceptor(opened);
  return {
    ...opened,
    admission: createAdmission(log),
    keys: createKeyRing(opened.db, opened.log),
    bearers: createKnownBearers(),
    keyRates: ratesOf('api-key'),
    messageRates: ratesOf('messages'),
    sessionRates: ratesOf('session'),
    verificationRates: ratesOf('verify'),
    webhookTestRates: ratesOf('webhook-test'),
    askingPlaces: createAskingPlaces(),
    loginLimits: createLoginLimits(opened.rates, opened.settings),
    passwords: await createPasswords(opened.settings.bcryptCost),
    linkMails: createLinkMails(opened),
    linkStreams: createLinkStreams(opened.db, opened.log),
    eventLooker,
    eventStreams: createEventStreams(dashboardDb, eventLooker, days, log),
    ...acceptor,
    ...createSearches(opened.listDb),
    fileStreams: createFileStreams(),
    readUsage: createUsageReader(opened.listDb),
    lookUp: createLookUp(opened.db),
    findQuotable: createQuotableFinder(opened.db),
    findHeard: createHeardFinder(opened.db),
    findCallbackAccount: createCallbackAccounts(opened.db),
    strangers: createStrangers(),
    receive: createReceiptStore(opened),
    learn: createLearner(opened.db, createWebhookWaker(opened.waker, opened.log)),
    intake: createIntake({ ...opened, wakeWebhooks: createWebhookWaker(opened.waker, opened.log) }),
    templates: createKnownTemplates(opened.db, opened.log),
    verifier: createVerifier(opened, acceptor),
  };
}

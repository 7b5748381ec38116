import type { Adapter, ProviderHttp } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { createLooker } from '@notify/db/events';
import { createIntake, createWebhookWaker } from '@notify/dispatch';
import type { ObjectStore } from '@notify/egress';
import type { Waker } from '@notify/queue';
import type { Log, Secrets, Settings } from '@notify/runtime';
import { type Admission, createAdmission } from './admission/admission.ts';
import { createAskingPlaces, createTellingPlaces } from './channel-accounts/asking-places.ts';
import type { AuthenticationNeeds } from './auth/authenticate.ts';
import { createKnownBearers } from './auth/known-bearers.ts';
import { createLoginLimits } from './auth/passwords/login-limits.ts';
import { createPasswords } from './auth/passwords/passwords.ts';
import type { Later } from './callbacks/answer-in-time.ts';
import { createCallbackAccounts } from './callbacks/find-account.ts';
import type { CallbackNeeds } from './callbacks/handler.ts';
import { createLearner } from './callbacks/learner.ts';
import { createReceiptStore } from './callbacks/receive.ts';
import { createStrangers } from './callbacks/strangers.ts';
import { createUploadPlaces } from './files/upload-places.ts';
import type { Memory, RateMemory } from './find-asker.ts';
import type { RateStore } from './http/rate-store.ts';
import { createEventStreams } from './events/event-streams.ts';
import { listedDays } from './events/place.ts';
import { createKeyRates, type KeyRates } from './keys/key-rates.ts';
import { createKeyRing } from './keys/key-ring.ts';
import { createLinkStreams } from './links/link-streams.ts';
import { createLinkMails } from './mail/link-mails.ts';
import type { Mailer } from './mail/mailer.ts';
import { createFilePlaces } from './media/file-places.ts';
import { createSearches } from './messages/search.ts';
import { createAcceptor } from './sending/accept.ts';
import { createLookUps } from './sending/look-up.ts';
import type { Needs } from './routes.ts';
import { createKnownTemplates } from './templates/known-templates.ts';
import { createUsageReader } from './usage/reader.ts';
import { createVerifier } from './verifications/verifier.ts';

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
  /** The bucket of uploaded files. Null without one. */
  readonly objects: ObjectStore | null;
  readonly log: Log;
  readonly rates: RateStore;
  /** Null without a mail server. */
  readonly mailer: Mailer | null;
}

/** What the routes and the app itself need, each part once. */
export type Parts = Opened &
  Needs &
  Memory &
  RateMemory &
  AuthenticationNeeds &
  CallbackNeeds & {
    readonly admission: Admission;
    /** The clock of callbacks that must be answered in time. Default: that of the machine. */
    readonly later?: Later;
  };

/** Adds the api's in-memory state to the open resources. */
export async function createParts(opened: Opened): Promise<Parts> {
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
    accountCheckRates: ratesOf('verify'),
    webhookTestRates: ratesOf('webhook-test'),
    askingPlaces: createAskingPlaces(),
    tellingPlaces: createTellingPlaces(),
    tellRates: ratesOf('tell'),
    loginLimits: createLoginLimits(opened.rates, opened.settings),
    passwords: await createPasswords(opened.settings.bcryptCost),
    linkMails: createLinkMails(opened),
    linkStreams: createLinkStreams(opened.db, opened.log),
    eventLooker,
    eventStreams: createEventStreams(dashboardDb, eventLooker, days, log),
    acceptor,
    searches: createSearches(opened.listDb),
    filePlaces: createFilePlaces(),
    uploadPlaces: createUploadPlaces(),
    usageReader: createUsageReader(opened.listDb),
    lookUps: createLookUps(opened.db),
    callbackAccounts: createCallbackAccounts(opened.db),
    strangers: createStrangers(),
    receive: createReceiptStore(opened),
    learner: createLearner(opened.db, createWebhookWaker(opened.waker, opened.log)),
    intake: createIntake({ ...opened, wakeWebhooks: createWebhookWaker(opened.waker, opened.log) }),
    templates: createKnownTemplates(opened.db, opened.log),
    verifier: createVerifier(opened, acceptor),
  };
}

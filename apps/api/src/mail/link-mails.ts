import { createHash } from 'node:crypto';
import { type Db, whenDatabaseIsBack } from '@notify/db/connection';
import {
  createEmailChangeLink,
  createMailedLink,
  findTenantByEmail,
  type LinkPurpose,
} from '@notify/db/tenants';
import type { Log, Settings } from '@notify/runtime';
import { foldEmail } from './folded-email.ts';
import type { RateCounter, RateStore } from '../http/rate-store.ts';
import { emailNotice, letterFor, newEmailLetter, validMinutes } from './letters.ts';
import type { Mailer } from './mailer.ts';

type Recipient = { readonly id: string; readonly email: string };
type Asking = Recipient & { readonly password_hash: string };

/** Mails with links that work once. The mails of one kind to one mailbox are limited per hour. */
export interface LinkMails extends LinkMailsOptions {
  readonly counter: RateCounter;
  /** What is under way. */
  readonly background: Set<Promise<void>>;
}

export interface LinkMailsOptions {
  readonly db: Db;
  readonly rates: RateStore;
  /** Null without a mail server. */
  readonly mailer: Mailer | null;
  readonly settings: Pick<Settings, 'publicUrl'>;
  readonly log: Log;
}

/** The mails of one kind that a mailbox gets in an hour. */
const mailsPerHour = 3;
/** Requests in the background at once. Beyond that, requests are dropped and logged. */
const maxInBackground = 200;

/** Mails over the open mailer. Without one, forgotten passwords are noted in the log for the operator. */
export function createLinkMails({ db, rates, mailer, settings, log }: LinkMailsOptions): LinkMails {
  const counter = rates.counter('link-mails', 3_600);
  return { db, rates, mailer, settings, log, counter, background: new Set() };
}

/** How a tenant gets its link: by email, or from the operator, where there is no mail server. */
export function deliveryOf({ mailer }: LinkMails): 'email' | 'operator' {
  return mailer === null ? 'operator' : 'email';
}

/**
 * Mails a link to a new password if somebody is registered with this address. Answers at once, so that nobody learns
 * whether one is.
 */
export function mailForgotten(mails: LinkMails, email: string): void {
  const { db, mailer, log } = mails;
  inBackground(mails, async () => {
    const tenant = await whenBack(() => findTenantByEmail(db, email));
    if (tenant === null) return;
    if (mailer === null) return log.tell('password-forgotten', { tenantId: tenant.id });
    await mailIfAllowed(mails, 'password', tenant);
  });
}

/** Mails the link that confirms the address of a tenant that has just registered. Answers at once. */
export function mailRegistered(mails: LinkMails, tenant: Recipient): void {
  inBackground(mails, () => mailIfAllowed(mails, 'email', tenant));
}

/** Mails that link again. If its mailbox has had enough, mails nothing and returns the time until the next, in ms. */
export async function mailConfirmation(mails: LinkMails, tenant: Recipient): Promise<number | null> {
  const waitMs = await take(mails, 'email', tenant.email);
  if (waitMs === null) inBackground(mails, () => mail(mails, 'email', tenant));
  return waitMs;
}

/**
 * Counts one request of a tenant for a new address, with or without a mail server. If it has had enough, returns the time
 * until the next, in ms.
 */
export function countChange(mails: LinkMails, tenantId: string): Promise<number | null> {
  return take(mails, 'new-email', tenantId);
}

/**
 * Mails a link to the new address, which makes it the tenant's, and tells the old address. If the new mailbox
 * has had enough, mails nothing and returns the time until the next, in ms. `superseded`: the password of the tenant was
 * changed since its row was read, and nothing is mailed. When it returns, the link is the only one of its kind.
 */
export async function mailChange(
  mails: LinkMails,
  tenant: Asking,
  newEmail: string,
): Promise<number | null | 'superseded'> {
  const waitMs = await take(mails, 'email', newEmail);
  if (waitMs !== null) return waitMs;
  const { db, mailer, settings } = mails;
  const { publicUrl } = settings;
  if (mailer === null || publicUrl === null) return null;
  const { id: tenantId, email, password_hash: passwordHash } = tenant;
  const link = await createEmailChangeLink(db, { tenantId, newEmail, passwordHash }, validMinutes.email);
  if (link === 'superseded') return link;
  const about = { kind: 'new-email', tenantId };
  mailer.send({ to: newEmail, ...newEmailLetter(publicUrl, link.token), about });
  mailer.send({ to: email, ...emailNotice(publicUrl), about });
  return null;
}

/** The answer to who asked was 202, so a database that is away delays a mail and does not lose it. */
function whenBack<T>(work: () => Promise<T>): Promise<T> {
  return whenDatabaseIsBack(work, () => undefined);
}

/** Tells of what has not reached the mailer when the process ends. */
export function tellUnsettled({ background, log }: LinkMails): void {
  for (const _ of background) log.tell('mail-given-up-at-end');
}

/** Waits until everything that was asked for has reached the mailer. */
export async function mailsSettled({ background }: LinkMails): Promise<void> {
  await Promise.all(background);
}

function inBackground({ background, log }: LinkMails, task: () => Promise<void>): void {
  if (background.size >= maxInBackground) return log.tell('mail-given-up-busy');
  const running = task()
    .catch((error: unknown) => log.tell('mail-given-up', { err: error }))
    .finally(() => background.delete(running));
  background.add(running);
}

/** Counts one mail to a mailbox, or one request of a tenant for a new address. Null if it may go, else the time until the next may, in ms. */
async function take(
  { counter }: LinkMails,
  purpose: LinkPurpose | 'new-email',
  whom: string,
): Promise<number | null> {
  const key = createHash('sha256')
    .update(`${purpose} ${foldEmail(whom)}`)
    .digest('base64url');
  const { total, resetMs } = await counter.add(key, 1);
  return total > mailsPerHour ? resetMs : null;
}

async function mail(
  { db, mailer, settings }: LinkMails,
  purpose: LinkPurpose,
  { id: tenantId, email }: Recipient,
): Promise<void> {
  const { publicUrl } = settings;
  if (mailer === null || publicUrl === null) return;
  const wanted = { tenantId, email, purpose, validMinutes: validMinutes[purpose] };
  const link = await whenBack(() => createMailedLink(db, wanted));
  if (link === null) return;
  const letter = letterFor(purpose, publicUrl, link.token);
  mailer.send({ to: email, ...letter, about: { kind: purpose, tenantId } });
}

async function mailIfAllowed(mails: LinkMails, purpose: LinkPurpose, tenant: Recipient): Promise<void> {
  if ((await take(mails, purpose, tenant.email)) === null) return mail(mails, purpose, tenant);
  mails.log.tell('mail-left-out', { tenantId: tenant.id, kind: purpose });
}

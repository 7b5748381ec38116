import { hash } from 'node:crypto';
import type { Adapter } from '@notify/channels';
import { type ProblemCode, StartedVerification, StartVerification } from '@notify/contract';
import { contactAddress, contactKey, formatId, startsOfRecipient } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { Started } from '@notify/db/verifications';
import type { Settings } from '@notify/runtime';
import { emailUnverified } from '../problems/email-unverified.ts';
import { Problem } from '../problems/problem.ts';
import { type Callers, defineRoute, NoParams, NoQuery } from '../http/route.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { givenLabels } from '../sending/labels.ts';
import { singleSendProblems, templateProblems } from '../sending/send.ts';
import { takeMessages } from '../sending/take-messages.ts';
import type { KnownTemplates } from '../templates/known-templates.ts';
import { readBrand } from './brand.ts';
import { itemsOf } from './items.ts';
import { beginVerification, repeatedVerification, type Verifier, type VerifierResult } from './verifier.ts';
import { personOf, type Route, routesOf } from './recipient-of.ts';

const defaultDigits = 6;
const defaultExpirySeconds = 600;
/** No route is given more time than this before the next one begins, in seconds. */
const longestRouteSeconds = 60;
const shortestRouteSeconds = 10;

export const startVerification = defineRoute({
  operationId: 'verifications.start',
  method: 'post',
  path: '/v1/notify/verifications',
  tag: 'Verifications',
  summary: 'Send a one-time code',
  description:
    'Sends a random code to the recipient. Repeating it within 30 seconds returns the pending verification and sends nothing; later it cancels that one and sends a new code. Only a verification with the same `sandbox`, and from accounts that the key may use, is repeated or canceled. A recipient can be sent 5 codes in 10 minutes. With `routes`, the next one begins when the one before failed or was not delivered in time.',
  credential: 'api-key',
  scope: 'send',
  params: NoParams,
  query: NoQuery,
  body: StartVerification,
  idempotencyHeader: 'taken',
  status: 202,
  response: StartedVerification,
  problems: [
    ...singleSendProblems.filter((code) => code !== 'unknown-channel'),
    ...templateProblems.filter((code) => code === 'template-not-found'),
    'verification-held',
    'unavailable',
  ],
  async handle(
    { body, caller, request },
    deps: {
      readonly db: Db;
      readonly settings: Settings;
      readonly adapters: ReadonlyMap<string, Adapter>;
      readonly messageRates: KeyRates;
      readonly templates: KnownTemplates;
      readonly verifier: Verifier;
    },
  ) {
    const routes = routesOf(body);
    const brand = readBrand(body.brand);
    await takeMessages(caller, 1, deps);
    const { codeLength = defaultDigits, expiresInSeconds = defaultExpirySeconds, locale = null } = body;
    const idempotencyKey = body.idempotencyKey ?? null;
    const asked = { locale, brand, codeLength, expiresInSeconds };
    const requestKey =
      idempotencyKey === null ? null : { key: idempotencyKey, requestHash: hashOf(body.to, routes, asked) };
    const made = await itemsOf(caller, routes, { locale, brand }, deps).catch(async (error: unknown) => {
      // A repeat is answered even if its account is gone. What is asked for now may be real, so none of the sandbox is an answer.
      const repeater = { ...ofCaller(caller), sandbox: false };
      const earlier =
        requestKey === null ? null : await repeatedVerification(deps.verifier, repeater, requestKey);
      if (earlier === null) throw error;
      return earlier;
    });
    if ('expiresAt' in made) return toStarted(made);
    const start = {
      ...ofCaller(caller),
      ...personOf(body.to, routes),
      ...made,
      shownRecipient: body.to,
      expiresInSeconds,
      advanceAfterSeconds: routeSeconds(expiresInSeconds, routes.length),
      requestKey,
      labels: givenLabels(body),
    };
    const result = await beginVerification(deps.verifier, start, codeLength, request.origin);
    if (result.kind === 'started' || result.kind === 'repeated') return toStarted(result.verification);
    // A repeat adds no waiting message, so it is answered even at the limit.
    const repeated =
      result.kind === 'refused' && result.code === 'limit-reached' && requestKey !== null
        ? await repeatedVerification(deps.verifier, start, requestKey)
        : null;
    if (repeated !== null) return toStarted(repeated);
    throw refusalOf(result, start.prefix);
  },
});

function ofCaller({ tenantId, keyId, accountIds }: Callers['api-key']) {
  return { tenantId, keyId, keyAccountIds: accountIds };
}

type Refused = Exclude<VerifierResult, { kind: 'started' | 'repeated' }>;

function refusalOf(result: Refused, prefix: string | null): Problem {
  if (result.kind === 'refused' && result.code === 'limit-reached')
    return new Problem('limit-reached', { status: 429, detail: 'Too many messages are waiting to be sent.' });
  if (result.kind === 'refused')
    return result.code === 'email-unverified' ? emailUnverified() : new Problem(result.code as ProblemCode);
  const { retryAfterSeconds } = result;
  if (result.kind === 'held')
    return new Problem('verification-held', {
      detail: `Starts to ${prefix} are held. Too few of the latest codes were entered.`,
      retryAfterSeconds,
    });
  const { most, inMinutes } = startsOfRecipient;
  const detail =
    result.by === 'recipient'
      ? `A recipient can be sent ${most} codes in ${inMinutes} minutes.`
      : `The limit of verifications per hour to ${prefix} is used up. PUT /v1/verification-limits changes it.`;
  return new Problem('rate-limited', { detail, retryAfterSeconds });
}

/** The time of one route, so that each of them has some before the code expires. */
function routeSeconds(expiresInSeconds: number, routes: number): number {
  return Math.max(shortestRouteSeconds, Math.min(longestRouteSeconds, Math.floor(expiresInSeconds / routes)));
}

/** SHA-256, in hex, of what idempotency compares: recipients in their usual spelling. The code is no part of it. */
function hashOf(to: string, routes: readonly Route[], asked: object): string {
  const ways = routes.map(({ channel, to: address, accountId }) => [
    channel,
    contactAddress(channel, contactKey(channel, address)),
    accountId,
  ]);
  const { recipient } = personOf(to, routes);
  return hash('sha256', JSON.stringify(['verification', recipient, ways, asked]), 'hex');
}

function toStarted({ id, expiresAt, sandbox }: Started): StartedVerification {
  return { id: formatId('ver', id), status: 'pending', expiresAt: expiresAt.toISOString(), sandbox };
}

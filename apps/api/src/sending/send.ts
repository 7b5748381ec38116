import { hash } from 'node:crypto';
import type { Message, ProblemCode, SendText } from '@notify/contract';
import {
  type Channel,
  channels,
  contactAddress,
  contactKey,
  formatId,
  hasLabels,
  type MessageBody,
  type MessageType,
  noLabels,
} from '@notify/core';
import type { AcceptItem } from '@notify/db/messages';
import type { Settings } from '@notify/runtime';
import Type from 'typebox';
import { emailUnverified } from '../problems/email-unverified.ts';
import { Problem } from '../problems/problem.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { Callers } from '../http/route.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { accept, type Acceptor, type SendResult } from './accept.ts';
import type { ItemSender } from './key-sender.ts';
import type { Answered } from './quoted.ts';
import { givenLabels, shownLabels } from './labels.ts';
import { judgeRecipient } from './recipient.ts';
import { invalidSendAt, isLater, timeOf } from './send-at.ts';
import { shownBody } from './shown-body.ts';
import { withTelegram } from './telegram-options.ts';
import { takeMessages } from './take-messages.ts';

/** What `sendOne` needs. */
export interface SendNeeds {
  readonly settings: Settings;
  readonly messageRates: KeyRates;
  readonly acceptor: Acceptor;
}

/** Path parameters of the sends. Any other channel gets `unknown-channel`. */
export const ChannelParams = Type.Object({ channel: Type.Enum([...channels], { examples: ['sms'] }) });

/** Problems that every send may answer. */
export const sendProblems: readonly ProblemCode[] = [
  'forbidden',
  'trial-expired',
  'unknown-channel',
  'invalid-request',
  'limit-reached',
];

/** Problems of a single send only. A bulk call reports such items as failed instead. */
export const singleSendProblems: readonly ProblemCode[] = [
  ...sendProblems,
  'invalid-recipient',
  'channel-not-connected',
  'channel-account-not-found',
  'idempotency-key-reused',
];

/** Problems of a send of a file. */
export const mediaProblems: readonly ProblemCode[] = [
  'media-not-supported',
  'media-url-required',
  'file-not-found',
];

/** Problems of a send of buttons or a list. */
export const interactiveProblems: readonly ProblemCode[] = ['interactive-not-supported'];

/** Problems of a send of a template. */
export const templateProblems: readonly ProblemCode[] = [
  'template-not-supported',
  'template-not-found',
  'template-not-approved',
  'template-parameters-invalid',
];

/** An item for the group commit. */
export interface SendItem extends AcceptItem {
  /** What a single send answers if the commit refuses the item with this code. */
  readonly problem?: Problem;
}

/** A checked send and its content. */
export interface Send extends Answered, Pick<SendText, 'metadata' | 'tags'> {
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  /** What idempotency compares in the place of `body`. */
  readonly compared?: object;
  readonly channelAccountId?: string;
  readonly idempotencyKey?: string;
  readonly expiresInSeconds?: number;
  readonly sendAt?: string;
  readonly urgent?: boolean;
}

const defaultExpirySeconds = 86_400;

/** A text to send. Throws the Problem of its options. `at`: where it is in the request. */
export function textSend(channel: Channel, { telegram, ...body }: SendText & Answered, at = 'body'): Send {
  const content = withTelegram({ text: body.text }, { channel, telegram, at, textAt: `${at}/text` });
  return { ...body, type: 'text', body: content };
}

/** The item for the group commit. An invalid recipient is noted on a bulk item, and refused on a single send. */
export function toAcceptItem(sender: ItemSender, channel: Channel, send: Send, bulk: boolean): AcceptItem {
  const fault = send.isHeard === true ? null : judgeRecipient(channel, send.to);
  if (fault !== null && !bulk) {
    throw new Problem('invalid-recipient', { errors: [{ at: 'body/to', message: fault }] });
  }
  const accountId = send.channelAccountId?.toLowerCase() ?? null;
  const replyTo = send.quoted?.messageId ?? null;
  const sendAt = send.sendAt === undefined ? null : timeOf(send.sendAt);
  const hashFor = (to: string): string =>
    hashRequest([
      channel,
      accountId,
      to,
      send.type,
      send.compared ?? send.body,
      ...(replyTo === null ? [] : [replyTo]),
      ...(sendAt === null ? [] : [{ sendAt }]),
      ...(send.urgent === undefined ? [] : [{ urgent: send.urgent }]),
    ]);
  const labels = givenLabels(send);
  const compared = contactAddress(channel, contactKey(channel, send.to));
  return {
    tenantId: sender.tenantId,
    keyId: sender.keyId,
    channel,
    accountId: accountId ?? send.quoted?.accountId ?? sender.ownAccountId ?? null,
    to: send.to,
    type: send.type,
    body: send.body,
    replyTo,
    bulk,
    sendAt,
    ...(send.urgent === true ? { urgent: true } : {}),
    ...(hasLabels(labels) ? { labels } : {}),
    expiresInSeconds: send.expiresInSeconds ?? defaultExpirySeconds,
    idempotencyKey: send.idempotencyKey ?? null,
    requestHash: hashFor(compared),
    ...(compared === send.to ? {} : { earlierHash: hashFor(send.to) }),
    ...(fault === null ? {} : { preFailed: { errorCode: 'invalid-recipient', text: `to ${fault}` } }),
  };
}

/**
 * SHA-256, in hex, of the parts that idempotency compares: channel, requested account, recipient in its usual spelling, content, the message that
 * this one answers, when to send it, and whether it is urgent.
 */
export function hashRequest(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}

/** Sends one message of the caller and answers it. Throws the Problem of a refusal. */
export async function sendOne(
  caller: Pick<Callers['api-key' | 'bearer'], 'tenantId' | 'plan'>,
  item: SendItem,
  { origin }: Pick<RequestInfo, 'origin'>,
  deps: SendNeeds,
): Promise<Message> {
  await takeMessages(caller, 1, deps);
  const [result] = await accept(deps.acceptor, [item], origin);
  return toMessage(item, result!, deps);
}

/** The message as a send answers it. Throws the Problem of a refusal. */
export function toMessage(item: SendItem, result: SendResult, { settings }: { settings: Settings }): Message {
  if (result.kind === 'refused') throw refusalOf(item, result.code, settings);
  const { id, channelAccountId, createdAt, recipient = item.to } = result.message;
  const { labels } = result.kind === 'accepted' && result.repeated ? result.message : item;
  const messageId = formatId('msg', id);
  return {
    id: messageId,
    messageId,
    tenantId: formatId('ten', item.tenantId),
    provider: item.channel,
    channelAccountId,
    to: recipient,
    type: item.type,
    status: result.kind === 'failed' ? 'failed' : 'queued',
    body: shownBody(item.body),
    createdAt: createdAt.toISOString(),
    scheduledAt: item.sendAt?.toISOString() ?? null,
    ...shownLabels(labels ?? noLabels),
    ...(result.kind === 'failed' ? { error: result.error, errorCode: result.errorCode } : {}),
  };
}

/** Why the commit refused a message, as its sender sees it. */
export function refusalOf(
  item: Pick<SendItem, 'keyId' | 'problem' | 'sendAt'>,
  code: RefusedCode,
  settings: Settings,
): Problem {
  return code === 'invalid-send-at' ? invalidSendAt(settings) : toProblem(item, code);
}

/** The refusal of a send that names no account, on a channel without a default. `channel`: where a request has several. */
export function notConnected(channel?: Channel): Problem {
  const of = channel === undefined ? 'the channel' : channel;
  return new Problem('channel-not-connected', {
    detail: `No account of ${of} is its default. Name one in channelAccountId, make one the default (PATCH /v1/channel-accounts/:id with isDefault: true), or connect one.`,
  });
}

/** The refusal of a file that went between the look-up and the commit, or before. */
function fileGone(): Problem {
  return new Problem('file-not-found', { detail: 'The file is gone. Upload it again.' });
}

type RefusedCode = Extract<SendResult, { kind: 'refused' }>['code'];

function toProblem(
  { keyId, problem, sendAt }: Pick<SendItem, 'keyId' | 'problem' | 'sendAt'>,
  code: ProblemCode | 'email-unverified',
): Problem {
  if (problem?.code === code) return problem;
  if (code === 'email-unverified') return emailUnverified();
  // The tenant was deleted while its session sent.
  if (code === 'invalid-api-key' && keyId === null) return new Problem('unauthenticated');
  if (code === 'channel-not-connected') return notConnected();
  if (code === 'file-not-found') return fileGone();
  if (code !== 'limit-reached') return new Problem(code);
  // Unlike other limits this one passes by itself.
  const what = isLater(sendAt) ? 'scheduled for later' : 'waiting to be sent';
  return new Problem(code, { status: 429, detail: `Too many messages are ${what}.` });
}

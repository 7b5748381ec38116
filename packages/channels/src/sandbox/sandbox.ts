import { setTimeout as delay } from 'node:timers/promises';
import { channels, type Outcome, smsSegments } from '@notify/core';
import Type, { type Static } from 'typebox';
import type { Provider, SendContext, SendRequest } from '../adapter/channel.ts';
import { keywordsSetting } from '../settings/keywords.ts';
import { unknownOutcomeSetting } from '../settings/unknown-outcome.ts';
import { openFile } from './files.ts';
import { guide } from './guide.ts';
import { tell } from './tell.ts';
import { templates } from './templates.ts';

const settings = Type.Object(
  {
    channel: Type.Enum([...channels], {
      title: 'Channel',
      description: 'The channel to simulate.',
      labels: { whatsapp: 'WhatsApp', telegram: 'Telegram', sms: 'SMS' },
    }),
    ...unknownOutcomeSetting,
    ...keywordsSetting,
  },
  { additionalProperties: false },
);
type SandboxSettings = Static<typeof settings>;

const deliveredAfterMs = 300;
const readAfterMs = 900;
const slowMs = 5_000;
const throttledMs = 2_000;

/**
 * A provider that sends nothing and fetches nothing, for a tenant's first message, for tests and for demonstrations.
 * The last four digits of the recipient choose the outcome; the README lists them. As Telegram does, it reports nothing on
 * telegram once it has accepted a message.
 */
export const sandbox: Provider<SandboxSettings> = {
  id: 'sandbox',
  channel: 'any',
  name: 'Sandbox',
  baseUrl: null,
  capabilities: {
    media: true,
    reportsDelivery: true,
    silentOn: ['telegram'],
    interactiveOn: ['whatsapp', 'telegram'],
    reportsRead: true,
    repeatIsSafe: false,
    callbacks: false,
    inbound: true,
    chatStates: ['read', 'typing'],
    maxInFlight: 50,
    callDeadlineMs: 15_000,
  },
  guide,
  settings,
  split(text, { channel }) {
    return { texts: [text], segments: channel === 'sms' ? smsSegments(text).segments : null };
  },
  send(request, context) {
    const ending = endings.get(lastFourDigits(request.to)) ?? accept;
    return ending(request, context);
  },
  async tell(request, { settings: { channel } }) {
    return tell(request, channel, lastFourDigits(request.to));
  },
  async listTemplates() {
    return { kind: 'listed', templates };
  },
  async openFile(file) {
    return openFile(file);
  },
  async verify() {
    return { ok: true, detail: 'The sandbox sends nothing, so there is nothing to verify.' };
  },
};

type Ending = (request: SendRequest, context: SendContext<SandboxSettings>) => Promise<Outcome>;

const endings: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ['0001', reject],
  ['0002', failTwice],
  ['0003', neverAnswer],
  ['0004', acceptThenFail],
  ['0005', acceptSlowly],
  ['0006', throttleOnce],
]);

async function accept(
  request: SendRequest,
  { settings: { channel } }: SendContext<SandboxSettings>,
): Promise<Outcome> {
  const delivered = { status: 'delivered', afterMs: deliveredAfterMs } as const;
  const read = { status: 'read', afterMs: readAfterMs } as const;
  const receipts = { sms: [delivered], whatsapp: [delivered, read], telegram: [] }[channel];
  return { kind: 'accepted', externalId: externalId(request), receipts };
}

async function reject(): Promise<Outcome> {
  return { kind: 'rejected', errorCode: 'recipient-rejected', text: 'The sandbox rejects this recipient.' };
}

async function failTwice(request: SendRequest, context: SendContext<SandboxSettings>): Promise<Outcome> {
  if (request.attempt > 2) return accept(request, context);
  const text = `The sandbox fails the first two attempts for this recipient; this was attempt ${request.attempt}.`;
  return { kind: 'retry', errorCode: 'provider-error', text };
}

async function neverAnswer(): Promise<Outcome> {
  return { kind: 'unknown', text: 'The sandbox never responds for this recipient.' };
}

async function acceptThenFail(
  request: SendRequest,
  { settings: { channel } }: SendContext<SandboxSettings>,
): Promise<Outcome> {
  const failed = {
    status: 'failed',
    afterMs: deliveredAfterMs,
    errorCode: 'undelivered',
    text: 'The sandbox reports this recipient as unreachable.',
  } as const;
  const receipts = channel === 'telegram' ? [] : [failed];
  return { kind: 'accepted', externalId: externalId(request), receipts };
}

async function acceptSlowly(request: SendRequest, context: SendContext<SandboxSettings>): Promise<Outcome> {
  try {
    await delay(slowMs, undefined, { signal: context.signal });
  } catch {
    return {
      kind: 'retry',
      errorCode: 'provider-unreachable',
      text: 'The call was aborted before the sandbox accepted the message.',
    };
  }
  return accept(request, context);
}

async function throttleOnce(request: SendRequest, context: SendContext<SandboxSettings>): Promise<Outcome> {
  if (request.throttles > 0) return accept(request, context);
  const text = 'The sandbox throttles this recipient.';
  return { kind: 'throttled', afterMs: throttledMs, scope: 'recipient', text };
}

function externalId(request: SendRequest): string {
  return request.part === 0 ? `sandbox-${request.messageId}` : `sandbox-${request.messageId}-${request.part}`;
}

function lastFourDigits(recipient: string): string {
  return recipient.replace(/\D/g, '').slice(-4);
}

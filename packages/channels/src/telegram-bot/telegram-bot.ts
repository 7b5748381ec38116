import { scrub, telegramLimits } from '@notify/core';
import { mediaTimes } from '@notify/egress';
import type { MediaRule, Provider, VerifyResult } from '../adapter/channel.ts';
import { notVerified, redact } from '../requests/http-outcome.ts';
import { partsOf } from '../requests/split-text.ts';
import { unknownPolicy } from '../settings/unknown-outcome.ts';
import { readTelegram } from './answer.ts';
import {
  ask,
  callDeadlineMs,
  fetchDeadlineMs,
  secretsOf,
  type TelegramContext,
  uploadDeadlineMs,
} from './call.ts';
import { type Asked, outcomeOf } from './errors.ts';
import { guide } from './guide.ts';
import { maxBytes } from './methods.ts';
import { openFile } from './open-file.ts';
import { pairingUrl } from './pairing-url.ts';
import { readUpdates } from './read-updates.ts';
import { sendMessage } from './send.ts';
import { receives, settings, type TelegramSettings } from './settings.ts';
import { subscribe, unsubscribe } from './subscribe.ts';
import { tell } from './tell.ts';
import { parseCallback } from './webhook.ts';

/** Telegram's limits for every bot: messages per second in all, and time between two to one chat (Bots FAQ). */
const perSecond = 30;
const recipientIntervalMs = 1_000;

/** A Telegram bot. Telegram sends bots no delivery or read receipts, so messages end at `sent`. */
export const telegramBot: Provider<TelegramSettings> = {
  id: 'telegram-bot',
  channel: 'telegram',
  name: 'Telegram bot',
  baseUrl: 'https://api.telegram.org',
  capabilities: {
    media: true,
    reportsDelivery: false,
    reportsRead: false,
    repeatIsSafe: false,
    callbacks: false,
    inbound: true,
    chatStates: ['typing'],
    interactiveOn: ['telegram'],
    maxInFlight: 10,
    callDeadlineMs,
  },
  media: {
    image: takes(maxBytes.image),
    video: takes(maxBytes.video),
    audio: takes(maxBytes.audio),
    document: takes(maxBytes.document),
  },
  mediaDeadlineMs: fetchDeadlineMs + mediaTimes.downloadMs + uploadDeadlineMs,
  guide,
  settings,
  pace: ({ ratePerSecond }) => ({ perSecond: ratePerSecond ?? perSecond, recipientIntervalMs }),
  split: (text, _, cut) => ({ texts: partsOf(text, telegramLimits.text, cut), segments: null }),
  splitCaption: (caption, cut) => partsOf(caption, telegramLimits.caption, cut),
  async send(request, context) {
    const result = await sendMessage(request, context);
    if ('kind' in result) return result;
    return outcomeOf(result, askedOf(context, request.throttles));
  },
  tell: (request, context) => tell(request, context, askedOf(context, 0)),
  verify,
  parseCallback,
  updates: { wanted: receives, subscribe, unsubscribe, read: readUpdates },
  openFile,
  pairingUrl,
};

function takes(bytes: number): MediaRule {
  return { maxBytes: bytes, mimeTypes: 'any', caption: true };
}

async function verify(context: TelegramContext): Promise<VerifyResult> {
  const asked = askedOf(context, 0);
  const result = await ask('getMe', context);
  const said = result.ok ? readTelegram(result) : null;
  if (said?.ok === true) {
    const username = redact(scrub(said.username ?? '', 100), asked.secrets);
    return { ok: true, detail: `Connected as @${username}.` };
  }
  return notVerified(outcomeOf(result, asked));
}

function askedOf({ settings: chosen }: TelegramContext, throttles: number): Asked {
  return { secrets: secretsOf(chosen), throttles, policy: unknownPolicy(chosen) };
}

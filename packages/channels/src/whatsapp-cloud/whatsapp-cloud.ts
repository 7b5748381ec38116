import type { Outcome } from '@notify/core';
import type { HttpResult } from '@notify/egress';
import type { Media, Provider, SendContext, SendRequest, VerifyResult } from '../adapter/channel.ts';
import { textAt } from '../reading/pointer.ts';
import { notVerified, redact } from '../requests/http-outcome.ts';
import { unknownPolicy } from '../settings/unknown-outcome.ts';
import { type Asked, documentOf, errorText, isSuccess, readSent, readUploaded } from './answer.ts';
import { readCallback } from './callbacks.ts';
import { guide } from './guide.ts';
import { listTemplates } from './list-templates.ts';
import { media } from './media.ts';
import { openFile } from './open-file.ts';
import { messageRequest, numberRequest, uploadRequest } from './request.ts';
import { settings, type WhatsappCloudSettings } from './settings.ts';
import { tell } from './tell.ts';

type Context = SendContext<WhatsappCloudSettings>;

const callDeadlineMs = 15_000;
const uploadDeadlineMs = 120_000;
/** The download of a file may take as long as its upload. */
const mediaDeadlineMs = 2 * uploadDeadlineMs + callDeadlineMs;
/** Free text goes through for a day after the person's last message. */
const replyWindowMs = 24 * 3_600_000;
const defaultPerSecond = 80;

/** WhatsApp by Meta's Cloud API. */
export const whatsappCloud: Provider<WhatsappCloudSettings> = {
  id: 'whatsapp-cloud',
  channel: 'whatsapp',
  name: 'WhatsApp Cloud API',
  baseUrl: 'https://graph.facebook.com',
  capabilities: {
    media: true,
    reportsDelivery: true,
    reportsRead: true,
    repeatIsSafe: false,
    callbacks: true,
    inbound: true,
    chatStates: ['read', 'typing'],
    interactiveOn: ['whatsapp'],
    replyWindowMs,
    maxInFlight: 40,
    callDeadlineMs,
  },
  media,
  mediaDeadlineMs,
  guide,
  settings,
  pace: ({ ratePerSecond }) => ({ perSecond: ratePerSecond ?? defaultPerSecond }),
  async send(request, context) {
    const policy = unknownPolicy(context.settings);
    const asked = { ...request, policy, secrets: secretsOf(context) };
    const mediaId = request.media === null ? null : await upload(request.media, asked, context);
    return mediaId === null || typeof mediaId === 'string'
      ? sendMessage(request, mediaId, asked, context)
      : mediaId;
  },
  tell: (request, context) => tell(request, context, { ...askedOf(context), deadlineMs: callDeadlineMs }),
  listTemplates: (context) =>
    listTemplates(context, (result) => ({ kind: 'failed', ...refusalOf(result, context) })),
  verify,
  openFile: (file, context) => openFile(file, context, callDeadlineMs),
  parseCallback: readCallback,
  isOf: ({ account }, settings, addressed) =>
    account === undefined ||
    (account === settings.phoneNumberId && settings.appSecret === addressed.appSecret),
};

async function sendMessage(
  request: SendRequest,
  mediaId: string | null,
  asked: Asked,
  context: Context,
): Promise<Outcome> {
  const { http, signal } = context;
  const httpRequest = messageRequest(request, mediaId, context);
  return readSent(await http.request({ ...httpRequest, signal, deadlineMs: callDeadlineMs }), asked);
}

/** Uploads a file. Returns Meta's id of it, or the outcome if the upload failed. */
async function upload(file: Media, asked: Asked, context: Context): Promise<string | Outcome> {
  const { http, signal } = context;
  const spooled = await file.download();
  if ('kind' in spooled) return spooled;
  await using disk = spooled;
  const { bytes, mimeType } = disk;
  const httpRequest = uploadRequest(
    { bytes, mimeType, filename: file.filename, open: () => disk.open() },
    context,
  );
  return readUploaded(await http.request({ ...httpRequest, signal, deadlineMs: uploadDeadlineMs }), asked);
}

async function verify(context: Context): Promise<VerifyResult> {
  const { http, signal } = context;
  const secrets = secretsOf(context);
  const result = await http.request({ ...numberRequest(context), signal, deadlineMs: callDeadlineMs });
  if (!result.ok || !isSuccess(result)) return { ok: false, ...refusalOf(result, context) };
  const number = textAt(documentOf(result), '/display_phone_number');
  if (number === null) return { ok: false, refused: false, detail: errorText(result, secrets) };
  const name = textAt(documentOf(result), '/verified_name') ?? 'no verified name yet';
  return { ok: true, detail: redact(`${number}, ${name}`, secrets).slice(0, 300) };
}

/** Whether a request that sends nothing was refused because of the settings, and why it failed. */
function refusalOf(result: HttpResult, context: Context): { refused: boolean; detail: string } {
  const { refused, detail } = notVerified(readSent(result, askedOf(context)));
  return { refused, detail };
}

/** The inputs to the outcome of a request that sends nothing. */
function askedOf(context: Context): Asked {
  const policy = unknownPolicy(context.settings);
  return { attempt: 1, throttles: 0, secrets: secretsOf(context), policy };
}

function secretsOf({ settings }: Context): string[] {
  return [settings.accessToken, settings.appSecret, settings.verifyToken ?? ''];
}

import type { Outcome } from '@notify/core';
import type { HttpResult, SpooledFile } from '@notify/egress';
import type { Media, SendRequest } from '../channel.ts';
import { multipart } from '../multipart.ts';
import { refuseTemplate } from '../no-templates.ts';
import { callDeadlineMs, callFor, fetchDeadlineMs, type TelegramContext, uploadFor } from './call.ts';
import { couldNotFetch } from './errors.ts';
import { type FileMethod, filenameOf, isFetchable, methodFor } from './methods.ts';

/** Sends one message. Returns an outcome if Telegram was not asked for one. */
export function sendMessage(request: SendRequest, context: TelegramContext): Promise<HttpResult | Outcome> {
  const { type, media } = request;
  if (type === 'text') return sendText(request, context);
  if (type === 'template') return Promise.resolve(refuseTemplate('Telegram'));
  if (media === null) throw new Error('a media message must not get here without its file');
  return sendFile(request.to, media, methodFor(type, media.mimeType), context);
}

function sendText({ to, text, body }: SendRequest, context: TelegramContext): Promise<HttpResult> {
  const whole = text ?? ('text' in body ? body.text : '');
  return callFor(to, 'sendMessage', { text: whole }, context, callDeadlineMs);
}

/** Sends by URL if Telegram fetches such a file. Uploads it otherwise, or if Telegram then fails to fetch it. */
async function sendFile(
  chat: string,
  media: Media,
  method: FileMethod,
  context: TelegramContext,
): Promise<HttpResult | Outcome> {
  if (isFetchable(method, media)) {
    const parameters = { [method.parameter]: media.url, ...captionOf(media) };
    const result = await callFor(chat, method.name, parameters, context, fetchDeadlineMs);
    if (!couldNotFetch(result)) return result;
  }
  return upload(chat, media, method, context);
}

async function upload(
  chat: string,
  media: Media,
  method: FileMethod,
  context: TelegramContext,
): Promise<HttpResult | Outcome> {
  const downloaded = await media.download();
  if ('kind' in downloaded) return downloaded;
  await using file = downloaded;
  return await uploadFor(chat, method.name, (chatId) => formOf(chatId, media, file, method), context);
}

function formOf(chatId: string, media: Media, file: SpooledFile, { parameter }: FileMethod) {
  return multipart(
    { chat_id: chatId, ...captionOf(media) },
    {
      name: parameter,
      filename: filenameOf(media),
      mimeType: file.mimeType,
      bytes: file.bytes,
      open: () => file.open(),
    },
  );
}

function captionOf({ caption }: Media): { caption?: string } {
  return caption === null ? {} : { caption };
}

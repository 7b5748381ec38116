import type { ChatState } from '@notify/core';
import type { HttpRequest } from '@notify/egress';
import type { Media, SendContext, SendRequest } from '../adapter/channel.ts';
import { messageReference } from '../requests/message-reference.ts';
import { multipart } from '../requests/multipart.ts';
import type { WhatsappCloudSettings } from './settings.ts';
import { interactiveObject } from './interactive-message.ts';
import { templateOf } from './template-message.ts';

type Context = Pick<SendContext<WhatsappCloudSettings>, 'settings' | 'baseUrl'>;
type HttpParts = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;

/** The Graph API version this adapter is written for. Meta supports a version for two years. */
const graphVersion = 'v25.0';

/** The request that sends one message. `mediaId` is Meta's id of the uploaded file; null for a message without one. */
export function messageRequest(request: SendRequest, mediaId: string | null, context: Context): HttpParts {
  const message = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipientOf(request.to),
    ...quoteOf(request),
    ...contentOf(request, mediaId),
    biz_opaque_callback_data: messageReference(request),
  };
  return {
    method: 'POST',
    url: numberUrl(context, '/messages'),
    headers: { ...authorization(context), 'content-type': 'application/json' },
    body: JSON.stringify(message),
  };
}

/** The request that tells a person that a message of theirs was read, and with `typing` that somebody answers it. */
export function tellRequest(state: ChatState, messageId: string, context: Context): HttpParts {
  const told = {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: messageId,
    ...(state === 'typing' ? { typing_indicator: { type: 'text' } } : {}),
  };
  return {
    method: 'POST',
    url: numberUrl(context, '/messages'),
    headers: { ...authorization(context), 'content-type': 'application/json' },
    body: JSON.stringify(told),
  };
}

/**
 * A number, without its plus, or the id of a person whose number Meta does not tell
 * (developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids).
 */
function recipientOf(to: string): { to: string } | { recipient: string } {
  return /^\+?\d+$/.test(to) ? { to: to.replace('+', '') } : { recipient: to };
}

/**
 * Quotes the message that this one answers, in its first part
 * (developers.facebook.com/documentation/business-messaging/whatsapp/messages/contextual-replies).
 */
function quoteOf({ replyTo, part }: SendRequest): object {
  return replyTo === null || part > 0 ? {} : { context: { message_id: replyTo.externalId } };
}

/** The request that uploads a file, streaming it. */
export function uploadRequest(file: UploadFile, context: Context): HttpParts {
  const { mimeType } = file;
  const form = multipart(
    { messaging_product: 'whatsapp', type: mimeType },
    { name: 'file', filename: file.filename ?? 'file', mimeType, bytes: file.bytes, open: () => file.open() },
  );
  return {
    method: 'POST',
    url: numberUrl(context, '/media'),
    headers: { ...authorization(context), 'content-type': form.contentType },
    body: form.body,
  };
}

/** A file on disk, and its name. */
export interface UploadFile {
  readonly mimeType: string;
  readonly bytes: number;
  readonly filename: string | null;
  open(): AsyncIterable<Uint8Array>;
}

/** The request for the details of the number. */
export function numberRequest(context: Context): HttpParts {
  return {
    method: 'GET',
    url: numberUrl(context, '?fields=display_phone_number,verified_name'),
    headers: authorization(context),
  };
}

/** The request for the address of a file that a person sent. */
export function mediaRequest(id: string, context: Context): HttpParts {
  return {
    method: 'GET',
    url: `${context.baseUrl}/${graphVersion}/${id}?phone_number_id=${context.settings.phoneNumberId}`,
    headers: authorization(context),
  };
}

/** The request for a page of the templates. Asks for what `readTemplate` reads. */
export function templatesRequest(
  businessAccountId: string,
  after: string | null,
  { settings, baseUrl }: Context,
): HttpParts {
  const fields = 'name,language,status,category,components,parameter_format,rejected_reason';
  const query = new URLSearchParams({ fields, limit: '100', ...(after === null ? {} : { after }) });
  return {
    method: 'GET',
    url: `${baseUrl}/${graphVersion}/${businessAccountId}/message_templates?${query.toString()}`,
    headers: authorization({ settings, baseUrl }),
  };
}

function contentOf(request: SendRequest, mediaId: string | null): object {
  const { body, text } = request;
  if ('template' in body) return { type: 'template', template: templateOf(body) };
  if ('interactive' in body) return { type: 'interactive', interactive: interactiveObject(body.interactive) };
  if (mediaId !== null) return fileOf(request, mediaId);
  return textOf(text ?? ('text' in body ? body.text : ''));
}

function textOf(whole: string): object {
  return { type: 'text', text: { body: whole, preview_url: false } };
}

function fileOf({ type, media }: SendRequest, id: string): object {
  const { caption = null, filename = null }: Partial<Media> = media ?? {};
  const file = {
    id,
    ...(caption === null || caption === '' ? {} : { caption }),
    ...(type === 'document' && filename !== null ? { filename } : {}),
  };
  return { type, [type]: file };
}

function numberUrl({ settings, baseUrl }: Context, rest: string): string {
  return `${baseUrl}/${graphVersion}/${settings.phoneNumberId}${rest}`;
}

/** The token. It may only go to Meta. */
export function authorization({ settings }: Context): Record<string, string> {
  return { authorization: `Bearer ${settings.accessToken}` };
}

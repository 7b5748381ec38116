import type { HttpResult } from '@notify/egress';
import type { SendContext } from '../adapter/channel.ts';
import type { OpenedFile } from '../adapter/inbound.ts';
import { fileOf, requestFile, withoutFile } from '../media/opened-file.ts';
import { textAt } from '../reading/pointer.ts';
import { documentOf, isSuccess } from './answer.ts';
import { authorization, mediaRequest } from './request.ts';
import type { WhatsappCloudSettings } from './settings.ts';

type Context = SendContext<WhatsappCloudSettings>;

/** Hosts of Meta that serve files. The token goes to them, and to the host that the operator set, alone. */
const fileHosts = /\.(?:fbsbx\.com|facebook\.com|fbcdn\.net|whatsapp\.net)$/;
const missing: ReadonlySet<string | null> = new Set(['100', '131052']);

/**
 * Reads a file by its id: Meta first tells its address, which lives for five minutes and wants the token
 * (developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media). Meta keeps a file
 * that a person sent for a week.
 */
export async function openFile(file: unknown, context: Context, deadlineMs: number): Promise<OpenedFile> {
  const id = textAt(file, '/id');
  if (id === null || !/^[\w.-]{1,200}$/.test(id) || /^\.+$/.test(id)) return gone;
  const { http, signal } = context;
  const told = await http.request({ ...mediaRequest(id, context), signal, deadlineMs });
  const url = told.ok && isSuccess(told) ? textAt(documentOf(told), '/url') : null;
  if (url === null) return refusalOf(told);
  if (!isOurs(url, context.baseUrl))
    return { kind: 'unavailable', detail: "Meta names an address that is not Meta's own." };
  const result = await requestFile({ url, headers: authorization(context) }, context);
  if (!result.ok || result.status !== 200) return withoutFile(result);
  return fileOf(result, { mimeType: textAt(documentOf(told as Told), '/mime_type'), bytes: bytesIn(told) });
}

type Told = Extract<HttpResult, { ok: true }>;

const gone: OpenedFile = { kind: 'expired', detail: 'Meta no longer has the file.' };

function bytesIn(told: HttpResult): number | null {
  const size = told.ok ? textAt(documentOf(told), '/file_size') : null;
  return size !== null && /^\d{1,12}$/.test(size) ? Number(size) : null;
}

/** An unknown id is refused with code 100, as any object that does not exist. */
function refusalOf(told: HttpResult): OpenedFile {
  if (!told.ok) return { kind: 'unavailable', detail: `Meta cannot be reached: ${told.error}.` };
  const code = textAt(documentOf(told), '/error/code');
  if ([404, 410].includes(told.status) || missing.has(code)) return gone;
  return {
    kind: 'unavailable',
    detail: `Meta answered ${told.status}${code === null ? '' : `, code ${code}`}.`,
  };
}

/** Whether the token may go to this address. */
function isOurs(address: string, baseUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol, hostname } = new URL(address);
  return origin === new URL(baseUrl).origin || (protocol === 'https:' && fileHosts.test(`.${hostname}`));
}

import type { SendContext } from '../adapter/channel.ts';
import type { OpenedFile } from '../adapter/inbound.ts';
import { discard, fileOf, requestFile, withoutFile } from '../media/opened-file.ts';
import { textAt } from '../reading/pointer.ts';
import { authorization } from './request.ts';
import type { TwilioSettings } from './settings.ts';

type Context = SendContext<TwilioSettings>;

const mediaPath =
  /^\/2010-04-01\/Accounts\/(AC[0-9a-fA-F]{32})\/Messages\/[A-Z]{2}[0-9a-fA-F]{32}\/Media\/ME[0-9a-fA-F]{32}$/;

/** Hosts that Twilio's API redirects to. They get no credentials. */
const storageHosts = /\.(?:twiliocdn\.com|amazonaws\.com)$/;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The path of a file in Twilio's API; null for any other address. */
export function mediaPathOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { pathname } = new URL(url);
  return mediaPath.test(pathname) ? pathname : null;
}

/**
 * Reads a file of an incoming message (twilio.com/docs/messaging/api/media-resource). Twilio's API wants the account's
 * credentials and redirects to its storage, which is followed once, without them. Twilio keeps files until they are
 * deleted there.
 */
export async function openFile(file: unknown, context: Context): Promise<OpenedFile> {
  const path = textAt(file, '/path') ?? '';
  const account = mediaPath.exec(path)?.[1];
  if (account?.toLowerCase() !== context.settings.accountSid.toLowerCase())
    return { kind: 'expired', detail: 'The file belongs to another account of Twilio.' };
  const { baseUrl } = context;
  const asked = await requestFile({ url: baseUrl + path, headers: authorization(context.settings) }, context);
  if (!asked.ok || !redirects.has(asked.status)) return readFile(asked);
  await discard(asked);
  const url = storageUrl(asked.headers['location'] ?? '', baseUrl);
  if (url === null) return { kind: 'unavailable', detail: 'Twilio redirects to an unknown host.' };
  return readFile(await requestFile({ url, headers: {} }, context));
}

async function readFile(result: Awaited<ReturnType<typeof requestFile>>): Promise<OpenedFile> {
  if (!result.ok || result.status !== 200) return withoutFile(result);
  return fileOf(result, { mimeType: null, bytes: null });
}

/** The address of a redirect if it is Twilio's storage, or lies on the host that the operator set. */
function storageUrl(location: string, baseUrl: string): string | null {
  if (!URL.canParse(location, baseUrl)) return null;
  const { href, origin, protocol, hostname } = new URL(location, baseUrl);
  const known =
    origin === new URL(baseUrl).origin || (protocol === 'https:' && storageHosts.test(`.${hostname}`));
  return known ? href : null;
}

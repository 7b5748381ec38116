import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway } from './gateway.ts';
import type { OfProfiles } from './profile-settings.ts';

/** A gateway whose requests, answers and callbacks Notify knows. */
export interface Profile {
  /** Where its API is, unless the settings name another address. Null if each account has its own. */
  readonly url: string | null;
  /** Whether requests add their paths to the address. If not, it is the address of each of them. */
  readonly addsPaths: boolean;
  /** Which of the settings that only profiles have it must have, and which it may have. */
  readonly required: readonly OfProfiles[];
  readonly optional: readonly OfProfiles[];
  /** Settings of templates and profiles alike that have no effect with it. */
  readonly without: readonly ('from' | 'senders' | 'numberFormat' | 'maxSegments')[];
  /** The setting by which callbacks are checked. `callbackSignature` if the gateway has no signature of its own. */
  readonly signedBy: OfProfiles | 'callbackSignature';
  /** The gateway's protocol. `url` is the address, without slashes at its end if paths are added. */
  gateway(settings: HttpSmsSettings, url: string): Gateway;
}

/** The settings that every profile reads in the same way. */
export function commonOf(settings: HttpSmsSettings): Pick<Gateway, 'from' | 'senders' | 'coding' | 'list'> {
  const { from = '', senders = [] } = settings;
  return { from, senders, coding: { gsm7: '0', ucs2: '2' }, list: null };
}

/** The sender under the gateway's name of it. No field at all for an account without one. */
export function senderField(
  name: string,
  { from = '', senders = [] }: HttpSmsSettings,
): Record<string, string> {
  return from === '' && senders.length === 0 ? {} : { [name]: '{{from}}' };
}

/** What `Authorization` has after `Basic` (RFC 7617). */
export function basicOf(username: string, password: string): string {
  return Buffer.from(`${username}:${password}`).toString('base64');
}

/** A JSON template of a document whose texts hold placeholders. A number such as `{{ttl_seconds}}` is written as `#ttl_seconds`. */
export function jsonBody(document: unknown): Gateway['body'] {
  const template = JSON.stringify(document).replaceAll(/"#([a-z_]+)"/g, '{{$1}}');
  return { type: 'json', template };
}

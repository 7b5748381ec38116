import { randomInt, randomUUID } from 'node:crypto';

const uuidV7 = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

/** Matches an id of this kind: the prefix, then a UUIDv7. */
export function id(
  prefix: 'ten' | 'key' | 'msg' | 'wh' | 'evt' | 'dlv' | 'bat' | 'cnv' | 'tok' | 'grp' | 'file',
): unknown {
  return expect.stringMatching(new RegExp(`^${prefix}_${uuidV7}$`));
}

/** Matches a bare UUID. */
export const uuid: unknown = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** Matches ISO 8601 in UTC with milliseconds. */
export const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Matches any string but the empty one. */
export const someText: unknown = expect.stringMatching(/./);

/** An id without its prefix. */
export function withoutPrefix(prefixed: string): string {
  return prefixed.slice(prefixed.indexOf('_') + 1);
}

/** An id of this shape that nobody has. */
export function unknownId(prefix: string): string {
  return `${prefix}_${randomUUID()}`;
}

/** A possible mobile number in E.164, another each time; its last four digits choose the sandbox's ending. */
export function phone(ending = '7777'): string {
  return another(() => `+4917${randomInt(1_000, 10_000)}${ending}`);
}

/** A chat id for Telegram, another each time; its last four digits choose the sandbox's ending. */
export function chat(ending = '7777'): string {
  return another(() => `${randomInt(10_000, 100_000)}${ending}`);
}

const drawn = new Set<string>();

/** What a test takes for two recipients must not be one by chance. */
function another(draw: () => string): string {
  const one = draw();
  if (drawn.has(one)) return another(draw);
  drawn.add(one);
  return one;
}

/** A recipient that is valid on the channel. */
export function recipient(channel: string, ending?: string): string {
  return channel === 'telegram' ? chat(ending) : phone(ending);
}

/** The last status of a message that the sandbox takes on the channel. Telegram reports no delivery. */
export function lastStatus(channel: string): 'sent' | 'delivered' {
  return channel === 'telegram' ? 'sent' : 'delivered';
}

/** One code point, two UTF-16 units, four bytes of UTF-8. */
export const emoji = '😀';

export const channels = ['whatsapp', 'telegram', 'sms'] as const;
export type ChannelName = (typeof channels)[number];

/** Names that objects inherit, so that a careless look-up takes them for known. */
export const inheritedNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const;

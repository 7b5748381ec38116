import type { InputOf } from '../../../api/client.ts';
import { rangeOf, readTimes, type Times } from '../../../parts/list/span.ts';

/** The query of the list's request. */
type Query = NonNullable<InputOf<'get /v1/messages'>['query']>;

export const channels = ['sms', 'whatsapp', 'telegram'] as const;
/** `scheduled` are the queued messages that wait for their own time. */
export const statuses = ['queued', 'scheduled', 'sent', 'delivered', 'failed'] as const;

/** The default is what was sent. */
export const directions = ['inbound', 'all'] as const;

/** The filter of the list. It is part of the address, so that a list can be shared as a link. */
export interface Filter extends Times {
  /** Null: only messages that were sent. */
  readonly direction: (typeof directions)[number] | null;
  readonly channel: (typeof channels)[number] | null;
  readonly status: (typeof statuses)[number] | null;
  readonly account: string | null;
  /** The recipient; of inbound messages the sender. */
  readonly to: string | null;
  readonly errorCode: string | null;
  /** The ID that the provider gave the message. */
  readonly externalId: string | null;
  /** Of the request that made the message. */
  readonly idempotencyKey: string | null;
  readonly groupId: string | null;
  readonly tag: string | null;
}

export const everything: Filter = {
  direction: null,
  channel: null,
  status: null,
  account: null,
  to: null,
  errorCode: null,
  externalId: null,
  idempotencyKey: null,
  groupId: null,
  tag: null,
  span: null,
  from: null,
  until: null,
};

/** Reads a filter from the address. Unknown words are ignored. */
export function readFilter(search: URLSearchParams): Filter {
  const oneOf = <T extends string>(name: string, allowed: readonly T[]): T | null =>
    allowed.find((one) => one === search.get(name)) ?? null;
  return {
    direction: oneOf('direction', directions),
    channel: oneOf('channel', channels),
    status: oneOf('status', statuses),
    account: text(search, 'account'),
    to: text(search, 'to'),
    errorCode: text(search, 'errorCode'),
    externalId: text(search, 'externalId'),
    idempotencyKey: text(search, 'idempotencyKey'),
    groupId: text(search, 'groupId'),
    tag: text(search, 'tag'),
    ...readTimes(search),
  };
}

function text(search: URLSearchParams, name: string): string | null {
  const value = search.get(name)?.trim() ?? '';
  return value === '' ? null : value;
}

/** Writes a filter as the search part of an address. */
export function writeFilter(filter: Filter): URLSearchParams {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(given);
}

/** The query for the api. `nowMs` is the end of a span, in ms since 1970. */
export function queryOf(
  { direction, channel, status, account, to, span, from, until, ...exact }: Filter,
  nowMs: number,
): Query {
  return {
    ...(direction === null ? {} : { direction }),
    ...(channel === null ? {} : { channel }),
    ...(status === null ? {} : status === 'scheduled' ? { scheduled: true } : { status }),
    ...(account === null ? {} : { channelAccountId: account }),
    ...(to === null ? {} : direction === 'inbound' ? { sender: to } : { to }),
    ...Object.fromEntries(Object.entries(exact).filter(([, value]) => value !== null)),
    ...rangeOf({ span, from, until }, nowMs),
  };
}

/** The number of conditions. */
export function countOf(filter: Filter): number {
  const { from, until, ...others } = filter;
  const single = Object.values(others).filter((value) => value !== null).length;
  return single + (from === null && until === null ? 0 : 1);
}

const uuid = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const messageId = new RegExp(`^(?:msg_)?${uuid}$`, 'i');
const groupId = new RegExp(`^grp_${uuid}$`, 'i');

/** The message id in a typed or pasted text, in the api's form; null if there is none. */
export function messageIdIn(typed: string): string | null {
  const id = messageId.exec(typed.trim())?.[1];
  return id === undefined ? null : `msg_${id.toLowerCase()}`;
}

/** The group id in a typed or pasted text, in the api's form; null if there is none. */
export function groupIdIn(typed: string): string | null {
  const id = groupId.exec(typed.trim())?.[1];
  return id === undefined ? null : `grp_${id.toLowerCase()}`;
}

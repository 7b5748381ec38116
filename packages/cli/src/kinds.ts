import { UsageFailure } from './failures.ts';

/** A kind of thing that has an ID. */
export interface Kind {
  /** `message`, as sentences name it. */
  readonly noun: string;
  /** `msg_`. Null: the ID is a bare UUID. */
  readonly prefix: string | null;
  /** Another that stands for several of them. */
  readonly orPrefix?: string;
}

/** The kinds of things that arguments and options name by their ID. */
export const kinds = {
  message: { noun: 'message', prefix: 'msg_' },
  group: { noun: 'group', prefix: 'grp_' },
  webhook: { noun: 'webhook', prefix: 'wh_' },
  delivery: { noun: 'delivery', prefix: 'dlv_', orPrefix: 'bat_' },
  conversation: { noun: 'conversation', prefix: 'cnv_' },
  key: { noun: 'key', prefix: 'key_' },
  verification: { noun: 'verification', prefix: 'ver_' },
  file: { noun: 'file', prefix: 'file_' },
  account: { noun: 'channel account', prefix: null },
} as const satisfies Readonly<Record<string, Kind>>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The ID as it was typed. The service takes it with its prefix and as a bare UUID. Throws UsageFailure for anything else. */
export function checkedId({ prefix, orPrefix }: Kind, typed: string): string {
  const named = [prefix, orPrefix].find((one) => one !== null && one !== undefined && typed.startsWith(one));
  if (uuid.test(typed.slice(named?.length ?? 0))) return typed;
  throw new UsageFailure(
    prefix === null
      ? 'must be a UUID'
      : `must begin with ${prefix}${orPrefix === undefined ? '' : ` or ${orPrefix}`}, and a UUID must follow`,
  );
}

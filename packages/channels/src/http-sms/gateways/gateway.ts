import type { HttpSmsSettings } from '../settings/settings.ts';

type Given = Required<
  Omit<HttpSmsSettings, 'onUnknownOutcome' | 'keywords' | 'profile' | 'username' | 'password' | 'smsc'>
>;

/** The protocol of one gateway: the settings with every default filled in, or as a profile fills them in. */
export interface Gateway extends Pick<
  Given,
  | 'method'
  | 'url'
  | 'headers'
  | 'body'
  | 'secrets'
  | 'from'
  | 'senders'
  | 'numberFormat'
  | 'coding'
  | 'success'
  | 'errors'
> {
  /** Fields of the body that are sent only when the gateway can send delivery receipts. */
  readonly reportFields: Readonly<Record<string, string>>;
  /** The values of the profile's own placeholders. */
  readonly values: Readonly<Record<string, string>>;
  /** The most segments one text may have; infinite if the gateway splits texts itself. */
  readonly maxSegments: number;
  /** The shortest and the longest lifetime that the gateway takes. */
  readonly lifetime: NonNullable<HttpSmsSettings['lifetime']>;
  readonly externalId: HttpSmsSettings['externalId'];
  readonly reports: HttpSmsSettings['reports'];
  /** Where an incoming SMS has its fields. A gateway may write them in several ways, told apart by a field. */
  readonly inbound: (field: (name: string) => string | null) => InboundFields | undefined;
  readonly probe: Probe;
}

/** Names of the fields of an incoming SMS. */
export type InboundFields = NonNullable<HttpSmsSettings['inbound']>;

/** A request that sends nothing. The status of its answer shows whether the account works. */
export interface Probe {
  readonly url: string;
  readonly body: Gateway['body'] | null;
  readonly good: readonly string[];
  /** A sentence on what a good answer proves. */
  readonly shows: string;
}

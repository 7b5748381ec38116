import type { HttpSmsSettings } from '../settings/settings.ts';
import type { OfProfiles } from './profile-settings.ts';

type Given = Required<Omit<HttpSmsSettings, 'onUnknownOutcome' | 'keywords' | 'profile' | OfProfiles>>;

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
  /** The body in place of `body` when the gateway can send delivery receipts. Null if they are the same. */
  readonly reportBody: Given['body'] | null;
  /** For secrets that are made of a setting with another name: the name of that setting. */
  readonly secretSettings: Readonly<Record<string, string>>;
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
  /** The JSON pointer of a list, if one callback holds several receipts or messages. Their fields are below each item. */
  readonly list: string | null;
  /** How callbacks show that they come from the gateway. Without it the secret in their address is the only proof. */
  readonly signature: HttpSmsSettings['callbackSignature'];
  readonly probe: Probe;
}

/** Names of the fields of an incoming SMS. */
export type InboundFields = NonNullable<HttpSmsSettings['inbound']> & {
  /** Set for a message that is no text: what kind it is. */
  readonly unsupported?: string;
};

/** A request that sends nothing. The status of its answer shows whether the account works. */
export interface Probe {
  readonly url: string;
  readonly body: Gateway['body'] | null;
  readonly good: readonly string[];
  /** A sentence on what a good answer proves. */
  readonly shows: string;
}

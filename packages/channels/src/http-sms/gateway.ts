import type { HttpSmsSettings } from './settings.ts';

type Given = Required<
  Omit<HttpSmsSettings, 'onUnknownOutcome' | 'profile' | 'username' | 'password' | 'smsc'>
>;

/** How to talk to one gateway: the settings with every default filled in, or what a profile makes of them. */
export interface Gateway extends Pick<
  Given,
  | 'method'
  | 'url'
  | 'headers'
  | 'body'
  | 'secrets'
  | 'from'
  | 'numberFormat'
  | 'coding'
  | 'success'
  | 'errors'
> {
  /** Fields of the body that are there only when the gateway can report back. */
  readonly reportFields: Readonly<Record<string, string>>;
  /** What the profile's own placeholders stand for. */
  readonly values: Readonly<Record<string, string>>;
  /** Segments one text may take; infinite where the gateway splits by itself. */
  readonly maxSegments: number;
  readonly externalId: HttpSmsSettings['externalId'];
  readonly reports: HttpSmsSettings['reports'];
  readonly probe: Probe;
}

/** A request that sends nothing and tells by its status what can be told of the account. */
export interface Probe {
  readonly url: string;
  readonly body: Gateway['body'] | null;
  readonly good: readonly string[];
  /** What a good answer shows. */
  readonly shows: string;
}

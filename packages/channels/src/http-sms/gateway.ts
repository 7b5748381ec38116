import { kannel } from './kannel.ts';
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
  readonly probe: Probe | null;
}

/** A request that sends nothing and tells whether the credentials work: by status, else they do not. */
export interface Probe {
  readonly url: string;
  readonly body: Gateway['body'] | null;
  readonly good: readonly string[];
}

/** Reads the settings, by profile or by template. */
export function gatewayOf(settings: HttpSmsSettings): Gateway {
  return settings.profile === 'kannel' ? kannel(settings) : fromTemplate(settings);
}

function fromTemplate(settings: HttpSmsSettings): Gateway {
  return {
    method: settings.method ?? 'POST',
    url: settings.url,
    headers: settings.headers ?? {},
    body: settings.body ?? { type: 'query', fields: {} },
    reportFields: {},
    values: {},
    secrets: settings.secrets ?? {},
    from: settings.from ?? '',
    numberFormat: settings.numberFormat ?? '+',
    maxSegments: settings.maxSegments ?? Infinity,
    coding: settings.coding ?? { gsm7: '0', ucs2: '2' },
    success: settings.success ?? {},
    externalId: settings.externalId,
    errors: settings.errors ?? [],
    reports: settings.reports,
    probe: settings.verifyUrl === undefined ? null : { url: settings.verifyUrl, body: null, good: ['2xx'] },
  };
}

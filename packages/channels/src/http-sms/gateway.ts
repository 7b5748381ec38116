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
    // Asked for by `verify` alone; it parses an address.
    get probe() {
      return probeOf(settings);
    },
  };
}

/** Without `verifyUrl` all that can be asked is whether anybody answers at the gateway's host. */
function probeOf({ url, verifyUrl }: HttpSmsSettings): Probe {
  if (verifyUrl !== undefined) {
    return { url: verifyUrl, body: null, good: ['2xx'], shows: 'The gateway takes the credentials.' };
  }
  const shows = 'The gateway answers; the first message will show whether it takes the credentials.';
  return { url: new URL('/', url).href, body: null, good: ['1xx-599'], shows };
}

import type { HttpSmsSettings } from '../settings/settings.ts';
import { africasTalking } from './africas-talking.ts';
import type { Gateway, Probe } from './gateway.ts';
import { infobip } from './infobip.ts';
import { kannel } from './kannel.ts';
import { plivo } from './plivo.ts';
import type { Profile } from './profile.ts';
import type { ProfileName } from './profile-names.ts';
import { sinch } from './sinch.ts';
import { smsgate } from './smsgate.ts';
import { telnyx } from './telnyx.ts';

/** The profile of each gateway that has one. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  kannel,
  telnyx,
  smsgate,
  plivo,
  infobip,
  sinch,
  africastalking: africasTalking,
};

/** Where an account sends to: the address in its settings, else that of its profile. Empty without either. */
export function addressOf({ profile, url }: Pick<HttpSmsSettings, 'profile' | 'url'>): string {
  return url ?? (profile === undefined ? undefined : profiles[profile].url) ?? '';
}

/** Reads the settings by their profile, or as a template. */
export function gatewayOf(settings: HttpSmsSettings): Gateway {
  const { profile } = settings;
  const url = addressOf(settings);
  if (profile === undefined) return fromTemplate(settings, url);
  const chosen = profiles[profile];
  return chosen.gateway(settings, chosen.addsPaths ? url.replace(/\/+$/, '') : url);
}

function fromTemplate(settings: HttpSmsSettings, url: string): Gateway {
  return {
    method: settings.method ?? 'POST',
    url,
    headers: settings.headers ?? {},
    body: settings.body ?? { type: 'query', fields: {} },
    reportBody: null,
    values: {},
    secrets: settings.secrets ?? {},
    secretSettings: {},
    from: settings.from ?? '',
    senders: settings.senders ?? [],
    numberFormat: settings.numberFormat ?? '+',
    maxSegments: settings.maxSegments ?? Infinity,
    lifetime: settings.lifetime ?? {},
    coding: settings.coding ?? { gsm7: '0', ucs2: '2' },
    success: settings.success ?? {},
    externalId: settings.externalId,
    errors: settings.errors ?? [],
    reports: settings.reports,
    inbound: () => settings.inbound,
    list: null,
    signature: settings.callbackSignature,
    // A getter, because only `verify` needs it and it parses an address.
    get probe() {
      return probeOf(url, settings.verifyUrl);
    },
  };
}

/** Without `verifyUrl` a probe can only show whether the gateway's host answers. */
function probeOf(url: string, verifyUrl: string | undefined): Probe {
  if (verifyUrl !== undefined) {
    return { url: verifyUrl, body: null, good: ['2xx'], shows: 'The gateway accepts the credentials.' };
  }
  const shows = 'The gateway responds. The first message will show whether it accepts the credentials.';
  return { url: new URL('/', url).href, body: null, good: ['1xx-599'], shows };
}

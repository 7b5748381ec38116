import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway, Probe } from './gateway.ts';
import { kannel } from './kannel.ts';
import type { ProfileName } from './profile-names.ts';

/** The settings that only profiles have. */
export const settingsOfProfiles = ['username', 'password', 'smsc'] as const;

type OfProfiles = (typeof settingsOfProfiles)[number];

/** A gateway whose requests and answers Notify knows. */
interface Profile {
  /** Which of the settings that only profiles have it must have, and which it may have. */
  readonly required: readonly OfProfiles[];
  readonly optional: readonly OfProfiles[];
  readonly gateway: (settings: HttpSmsSettings) => Gateway;
}

/** The profile of each gateway that has one. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  kannel: { required: ['username', 'password'], optional: ['smsc'], gateway: kannel },
};

/** Reads the settings by their profile, or as a template. */
export function gatewayOf(settings: HttpSmsSettings): Gateway {
  const { profile } = settings;
  return profile === undefined ? fromTemplate(settings) : profiles[profile].gateway(settings);
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
    // A getter, because only `verify` needs it and it parses an address.
    get probe() {
      return probeOf(settings);
    },
  };
}

/** Without `verifyUrl` a probe can only show whether the gateway's host answers. */
function probeOf({ url, verifyUrl }: HttpSmsSettings): Probe {
  if (verifyUrl !== undefined) {
    return { url: verifyUrl, body: null, good: ['2xx'], shows: 'The gateway accepts the credentials.' };
  }
  const shows = 'The gateway responds. The first message will show whether it accepts the credentials.';
  return { url: new URL('/', url).href, body: null, good: ['1xx-599'], shows };
}

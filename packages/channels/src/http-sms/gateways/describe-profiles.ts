import type { HttpSmsSettings } from '../settings/settings.ts';
import type { Gateway } from './gateway.ts';
import { type ProfileName, profileLabels, profileNames } from './profile-names.ts';
import { type OfProfiles, settingsOfProfiles } from './profile-settings.ts';
import { profiles } from './profiles.ts';

/** A profile as forms show it: which settings it takes, and which requests it makes of them. */
export interface ProfileDescription {
  readonly label: string;
  /** Where its API is, unless the settings name another address. */
  readonly url: string | null;
  /** The settings that only profiles have, of those that it takes. */
  readonly settings: readonly string[];
  /** Settings that have no effect with it. */
  readonly without: readonly string[];
  /** The setting by which callbacks are checked. Without it they are not. */
  readonly signedBy: string;
  readonly request: {
    readonly method: string;
    /** What follows the address. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Gateway['body'];
    /** In place of `body` where the gateway can send receipts. */
    readonly reportBody: Gateway['body'];
    /** Added to the address of receipts. */
    readonly reportQuery: string;
    readonly numberFormat: string;
    readonly lifetime: Gateway['lifetime'];
    /** The settings that replace placeholders, and those that hold secrets, by their names there. */
    readonly values: Readonly<Record<string, string>>;
    readonly secrets: Readonly<Record<string, string>>;
  };
}

/** Every profile, in the order of their names. */
export function describeProfiles(): Readonly<Record<ProfileName, ProfileDescription>> {
  const described = profileNames.map((name) => [name, describe(name)] as const);
  return Object.fromEntries(described) as Record<ProfileName, ProfileDescription>;
}

/** Each setting holds its own name, so the gateway tells which one it puts where. */
const named = Object.fromEntries(settingsOfProfiles.map((name) => [name, name])) as Record<
  OfProfiles,
  string
>;

function describe(name: ProfileName): ProfileDescription {
  const profile = profiles[name];
  const { url, required, optional, without, signedBy } = profile;
  const settings: HttpSmsSettings = { profile: name, from: 'from', ...named };
  const { method, url: path, headers, body, reportBody, reports, ...rest } = profile.gateway(settings, '');
  const secrets = Object.keys(rest.secrets).map((secret) => [secret, rest.secretSettings[secret] ?? secret]);
  return {
    label: profileLabels[name],
    url,
    settings: [...required, ...optional],
    without,
    signedBy,
    request: {
      method,
      path,
      headers,
      body,
      reportBody: reportBody ?? body,
      reportQuery: reports?.query ?? '',
      numberFormat: rest.numberFormat,
      lifetime: rest.lifetime,
      values: rest.values,
      secrets: Object.fromEntries(secrets) as Record<string, string>,
    },
  };
}

import type { HttpSmsSettings } from '../settings/settings.ts';
import type { GatewayProfile } from './gateway-profile.ts';
import { type ProfileName, profileLabels, profileNames } from './profile-names.ts';
import { type OfProfiles, settingsOfProfiles } from './profile-settings.ts';
import { profiles } from './profiles.ts';

/** Every profile, in the order of their names. */
export function describeProfiles(): Readonly<Record<ProfileName, GatewayProfile>> {
  const described = profileNames.map((name) => [name, describe(name)] as const);
  return Object.fromEntries(described) as Record<ProfileName, GatewayProfile>;
}

/** Each setting holds its own name, so the gateway tells which one it puts where. */
const named = Object.fromEntries(settingsOfProfiles.map((name) => [name, name])) as Record<
  OfProfiles,
  string
>;

function describe(name: ProfileName): GatewayProfile {
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

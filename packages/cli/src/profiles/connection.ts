import type { Config } from '../config.ts';
import { NotLoggedIn } from '../failures.ts';
import { profileNames, readProfile } from './store.ts';

/** The service that a command talks to, and with what. */
export interface Connection {
  readonly url: string;
  readonly token: string;
  /** The profile it comes from. Null: from NOTIFY_TOKEN. */
  readonly profile: string | null;
}

/** The profile of a login without a name. */
export const defaultProfile = 'default';

/**
 * Chooses the connection: `--profile`, else NOTIFY_TOKEN with NOTIFY_URL, else the profile NOTIFY_PROFILE or `default`.
 * The token of a profile only ever goes to the service that it was saved for.
 */
export async function chooseConnection(config: Config, asked: string | null): Promise<Connection> {
  if (asked === null && config.token !== null) return fromEnvironment(config.token, config.url);
  const name = asked ?? config.profile ?? defaultProfile;
  const profile = await readProfile(config.folder, name);
  if (profile === null) throw await notLoggedIn(config, name);
  if (asked === null && config.url !== null && !sameService(config.url, profile.url))
    throw new NotLoggedIn(
      `NOTIFY_URL is ${config.url}, and the token of profile ${name} is for ${profile.url}`,
      'Set NOTIFY_TOKEN too, or unset NOTIFY_URL.',
    );
  return { ...profile, profile: name };
}

/** Whether two addresses are the same service: a final slash makes no difference. */
export function sameService(one: string, other: string): boolean {
  return normalUrl(one) === normalUrl(other);
}

/** The address without a final slash. Null if it is none, or has a user, a query or a fragment. */
export function normalUrl(typed: string): string | null {
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return url.href.replace(/\/+$/, '');
}

function fromEnvironment(token: string, url: string | null): Connection {
  const service = url === null ? null : normalUrl(url);
  if (url === null)
    throw new NotLoggedIn(
      'NOTIFY_TOKEN is set, and NOTIFY_URL is not',
      'Set NOTIFY_URL to the service’s address.',
    );
  if (service === null)
    throw new NotLoggedIn(
      `NOTIFY_URL is no address of a service: ${url}`,
      'Example: https://notify.example.com',
    );
  return { url: service, token, profile: null };
}

async function notLoggedIn(config: Config, name: string): Promise<NotLoggedIn> {
  const others = await profileNames(config.folder);
  const known = others.length > 0 ? ` Saved profiles: ${others.join(', ')}.` : '';
  return new NotLoggedIn(
    name === defaultProfile ? 'not logged in' : `there is no profile ${name}`,
    `Run notifyctl login${name === defaultProfile ? '' : ` --profile ${name}`}, or set NOTIFY_URL and NOTIFY_TOKEN.${known}`,
  );
}

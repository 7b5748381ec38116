import { homedir } from 'node:os';
import path from 'node:path';

/** What the environment says. */
export interface Config {
  /** NOTIFY_URL. */
  readonly url: string | null;
  /** NOTIFY_TOKEN. */
  readonly token: string | null;
  /** NOTIFY_API_KEY. */
  readonly apiKey: string | null;
  /** NOTIFY_PROFILE. */
  readonly profile: string | null;
  /** The folder of this program's files, in XDG_CONFIG_HOME. */
  readonly folder: string;
  /** False with NO_COLOR (https://no-color.org) or on a terminal that has no colours. */
  readonly colours: boolean;
}

/** Reads the environment. An empty variable counts as unset. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const { NOTIFY_URL, NOTIFY_TOKEN, NOTIFY_API_KEY, NOTIFY_PROFILE, XDG_CONFIG_HOME, NO_COLOR, TERM } = env;
  return {
    url: NOTIFY_URL || null,
    token: NOTIFY_TOKEN || null,
    apiKey: NOTIFY_API_KEY || null,
    profile: NOTIFY_PROFILE || null,
    folder: path.join(XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'notify'),
    colours: !NO_COLOR && TERM !== 'dumb',
  };
}

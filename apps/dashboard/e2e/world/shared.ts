import type { InstallationOptions, Place } from './place.ts';

/** What the browser tests of a run share. Each is started when a test first asks for it. */
export interface Shared {
  /** The dashboard is built. */
  readonly dashboard: true;
  /** Where one connects to the browser. */
  readonly browser: string;
  readonly installation: Place;
}

/** The installation for all tests that need no settings of their own. */
export const sharedOptions = { peers: ['twilio', 'whatsapp-cloud'] } as const satisfies InstallationOptions;

/** Names the URL to ask at. */
export const sharedVariable = 'BROWSER_TESTS_URL';

/** Asks the run of tests for something that it shares; null where there is none. */
export async function askShared<Name extends keyof Shared>(name: Name): Promise<Shared[Name] | null> {
  const url = process.env[sharedVariable];
  if (url === undefined) return null;
  const answer = await fetch(`${url}/${name}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Shared[Name];
}

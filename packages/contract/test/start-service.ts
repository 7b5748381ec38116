import { openService, ownServiceVariable } from './own-service.ts';

const stops: (() => Promise<void>)[] = [];

/**
 * Jest's set-up of the contract suite. With `BASE_URL` the suite runs against the service there: on a deployment, set
 * its LOGIN_ATTEMPTS_PER_MINUTE and LOGIN_ATTEMPTS_PER_ADDRESS high, for the suite makes many tenants from one address,
 * and RECEIVER_HOST to this machine's name as the service sees it. Without, it starts a service of its own.
 */
export default async function start(): Promise<void> {
  if (process.env.BASE_URL !== undefined) {
    console.log(`against ${process.env.BASE_URL}; skipped: what needs settings of the suite's own choice`);
    return;
  }
  const service = await openService();
  process.env.BASE_URL = service.url;
  process.env[ownServiceVariable] = service.dataDir;
  stops.push(() => service.stop());
}

/** Stops what `start` started; jest's tear-down. */
export async function stop(): Promise<void> {
  for (const end of stops.splice(0)) await end();
}

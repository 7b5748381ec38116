import { startRedisCluster, startSentinelSet } from '@notify/testkit';
import {
  openService,
  ownRedisVariable,
  ownServiceVariable,
  ownSettingsVariable,
  redisSettings,
} from './suite/own-service.ts';

const stops: (() => Promise<void>)[] = [];

/**
 * Jest's set-up of the contract suite. With `BASE_URL` the suite runs against the service there: on a deployment, set
 * its LOGIN_ATTEMPTS_PER_MINUTE and LOGIN_ATTEMPTS_PER_ADDRESS high, for the suite makes many tenants from one address,
 * and RECEIVER_HOST to this machine's name as the service sees it. Without, it starts its own service, whose queue is
 * in Postgres, or with `CONTRACT_REDIS=cluster` or `sentinel` in several servers of Redis.
 */
export default async function start(): Promise<void> {
  if (process.env.BASE_URL !== undefined) {
    console.log(`against ${process.env.BASE_URL}; skipped: what needs settings of the suite's own choice`);
    return;
  }
  await startRedis();
  const service = await openService(redisSettings());
  process.env.BASE_URL = service.url;
  process.env[ownServiceVariable] = service.dataDir;
  process.env[ownSettingsVariable] = JSON.stringify(service.settings);
  stops.push(() => service.stop());
}

async function startRedis(): Promise<void> {
  const wanted = process.env.CONTRACT_REDIS;
  if (wanted === undefined) return;
  if (wanted !== 'cluster' && wanted !== 'sentinel')
    throw new Error('CONTRACT_REDIS must be cluster or sentinel');
  const set = await (wanted === 'cluster' ? startRedisCluster : startSentinelSet)();
  stops.push(() => set.remove());
  process.env[ownRedisVariable] = set.url;
}

/** Stops what `start` started; jest's tear-down. */
export async function stop(): Promise<void> {
  for (const end of stops.splice(0).reverse()) await end();
}

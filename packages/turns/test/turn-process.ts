import type { QueueStore } from '@notify/queue';
import { openLaneTurns } from '../src/lane-turns.ts';

/**
 * A worker process. Arguments: the store as JSON, and how long a turn takes in ms, and how far its clock is ahead in ms.
 * Prints `ready`, then each id whose turn begins.
 */
const [storeJson = '', turnMs = '0', aheadMs = '0'] = process.argv.slice(2);
const now = Date.now;
Date.now = () => now() + Number(aheadMs);
const store = JSON.parse(storeJson) as QueueStore;

const turns = openLaneTurns({
  ...store,
  partitions: 1,
  kind: 'dispatch',
  lane: 'fast',
  slots: 2,
  async turn({ id }) {
    process.stdout.write(`${id}\n`);
    await new Promise((resolve) => setTimeout(resolve, Number(turnMs)));
  },
  nextDue: async () => null,
  onError: () => undefined,
  log: { tell: () => undefined, tells: () => false },
});
turns.addAll();
process.stdout.write('ready\n');

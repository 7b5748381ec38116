import { isOwnedLane, ownedLanes, type OwnedLane } from '@notify/core';
import { partitionsOf, queueName } from './partitions.ts';

/** A lane that no provider has. */
const other = 'other' as OwnedLane;

test('each kind, lane and partition has its own queue; the queue of an owned lane is named as the lane', () => {
  expect(queueName('dispatch', 'fast', 0)).toBe('dispatch-0');
  expect(queueName('webhooks', 'slow', 3)).toBe('webhooks-slow-3');
  expect(queueName('dispatch', 'whatsapp-web', 7)).toBe('whatsapp-web-7');
  expect(queueName('dispatch', other, 7)).toBe('other-7');
});

test('each owned lane has its own number of partitions, by default 16', () => {
  const ownedPartitions = Object.fromEntries([
    ['whatsapp-web', 3],
    [other, 5],
  ]);
  const counts = { partitions: 2, ownedPartitions };
  expect(partitionsOf('fast', counts)).toBe(2);
  expect(partitionsOf('whatsapp-web', counts)).toBe(3);
  expect(partitionsOf(other, counts)).toBe(5);
  expect(partitionsOf('whatsapp-web', { partitions: 2 })).toBe(16);
});

test('one process owns each owned lane, and the other lanes are everybody’s', () => {
  expect(ownedLanes).toEqual({ 'whatsapp-web': 'whatsapp-sessions' });
  expect((['fast', 'slow', 'whatsapp-web', other] as const).map(isOwnedLane)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

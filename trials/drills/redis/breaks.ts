import { setTimeout as wait } from 'node:timers/promises';
import type { RedisNode, RedisRole, RedisSet } from '@notify/testkit';
import type { Fault } from '../../kit/faults/fault.ts';

/** How a node goes away. `left alone` shows what the load and the machine cost by themselves. */
export type Harm = 'left alone' | 'killed' | 'paused' | 'cut off';

export const harms = ['killed', 'paused', 'cut off'] as const satisfies readonly Harm[];

const lookMs = 100;

/** One node that goes away for a while. */
export interface Break extends Fault {
  readonly node: RedisNode;
  readonly harm: Harm;
  /** The role of the node when it went. */
  readonly role: () => RedisRole;
  /** How long Redis itself took to replace it, in ms. 0 of a node that served nothing, null if it did not. */
  readonly replacedMs: () => number | null;
  /** When it went, by the clock of this machine. */
  readonly wentAt: () => Date;
}

/**
 * Takes a node away for `awayMs` and brings it back. Resolves when the set is whole again, so the next node can go. It
 * is away for longer than turns may pause: they must go on without it.
 */
export function breakOf(set: RedisSet, node: RedisNode, harm: Harm, awayMs: number): Break {
  let role: RedisRole = 'replica';
  let wentAt = new Date(0);
  let replacedMs: number | null = null;
  return {
    name: `${set.topology}: ${node.name} ${harm}`,
    groups: ['redis'],
    node,
    harm,
    role: () => role,
    replacedMs: () => replacedMs,
    wentAt: () => wentAt,
    async run() {
      role = await set.roleOf(node);
      wentAt = new Date();
      await goAway(node, harm);
      replacedMs = role === 'master' && harm !== 'left alone' ? await untilReplaced(set, node, awayMs) : 0;
      await wait(Math.max(0, wentAt.getTime() + awayMs - Date.now()));
      await comeBack(node, harm);
      await set.untilWhole();
    },
  };
}

async function untilReplaced(set: RedisSet, node: RedisNode, withinMs: number): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < withinMs) {
    if (await set.isReplaced(node)) return performance.now() - began;
    await wait(lookMs);
  }
  return null;
}

async function goAway(node: RedisNode, harm: Harm): Promise<void> {
  switch (harm) {
    case 'left alone':
      return;
    case 'killed':
      return node.kill();
    case 'paused':
      return node.pause();
    case 'cut off':
      return node.cutOff();
  }
}

async function comeBack(node: RedisNode, harm: Harm): Promise<void> {
  switch (harm) {
    case 'left alone':
      return;
    case 'killed':
      return node.start();
    case 'paused':
      return node.resume();
    case 'cut off':
      return node.rejoin();
  }
}

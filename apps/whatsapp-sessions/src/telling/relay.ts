import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import {
  answerTellRequest,
  dropForgottenTells,
  openTellRequests,
  takeTellRequests,
  type TellRequestRow,
  type TellResult,
} from '@notify/db/whatsapp';
import { every, type Log } from '@notify/runtime';
import type { Device } from '../devices/device.ts';
import { tellOver } from './tell.ts';

export interface TellRelayDeps {
  readonly db: Db;
  readonly log: Log;
  /** This process. */
  readonly holder: string;
  /** The device of an account, if this process holds it. */
  readonly deviceOf: (accountId: string) => Pick<Device, 'live'> | null;
}

/** How often a process looks for requests, in ms. One statement on a table that is almost always empty. */
const lookEveryMs = 200;
const sweepEveryMs = 10_000;
/** How long WhatsApp may take with one request, in ms. Less than its asker waits. */
const tellWithinMs = 5_000;

/**
 * Tells people what the api asks for, over the devices that this process holds. Sends go their own way, and never wait for
 * this.
 */
export function startTellRelay(deps: TellRelayDeps): { close(): Promise<void> } {
  const { db, log, holder, deviceOf } = deps;
  const telling = new Set<Promise<void>>();

  async function look(): Promise<void> {
    const open = await openTellRequests(db);
    const ours = open.filter(({ accountId }) => deviceOf(accountId) !== null);
    if (ours.length === 0) return;
    const ids = ours.map(({ id }) => id);
    const taken = new Set(await takeTellRequests(db, holder, ids));
    for (const request of ours.filter(({ id }) => taken.has(id))) {
      const told = answer(request)
        .catch((error: unknown) => log.tell('not-told', { err: error, accountId: request.accountId }))
        .finally(() => telling.delete(told));
      telling.add(told);
    }
  }

  async function answer(request: TellRequestRow): Promise<void> {
    const socket = deviceOf(request.accountId)?.live?.socket;
    const result: TellResult =
      socket === undefined ? 'not-connected' : await within(tellOver(socket, request));
    await answerTellRequest(db, holder, request.id, result);
  }

  const periodic = [
    every('look-for-tell-requests', lookEveryMs, look, log),
    every('drop-forgotten-tells', sweepEveryMs, async () => void (await dropForgottenTells(db)), log),
  ];
  return {
    async close() {
      await Promise.all(periodic.map((one) => one.close()));
      await Promise.all(telling);
    },
  };
}

/** The result; `timeout` if it takes too long, `unavailable` if the connection ends. */
async function within(telling: Promise<TellResult>): Promise<TellResult> {
  const done = new AbortController();
  const late = delay(tellWithinMs, 'timeout' as const, { signal: done.signal });
  late.catch(() => undefined);
  try {
    return await Promise.race([telling.catch(() => 'unavailable' as const), late]);
  } finally {
    done.abort();
  }
}

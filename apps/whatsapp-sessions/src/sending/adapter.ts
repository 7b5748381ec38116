import {
  type Adapter,
  adapters,
  type SendContext,
  type SendRequest,
  type WhatsappWebSettings,
} from '@notify/channels';
import type { Outcome, Random } from '@notify/core';
import { whatsappWeb } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import type { Log } from '@notify/runtime';
import type { Device } from '../devices/device.ts';
import { drawConsequences } from './consequences.ts';
import { sendOver } from './send.ts';

/** The adapter's public settings and capabilities. */
const described = adapters.get(whatsappWeb)!;

const notConnected: Outcome = {
  kind: 'retry',
  errorCode: 'provider-unreachable',
  text: 'The account is not connected to WhatsApp.',
};

const tookTooLong: Outcome = { kind: 'unknown', text: 'WhatsApp took too long.' };

export interface AdapterDeps {
  readonly db: Db;
  readonly log: Log;
  readonly ackMs: number;
  readonly random: Random;
}

/** The adapter for one account's turns. Sends over the account's device at its pace. */
export function adapterOver(device: Device, { db, log, ackMs, random }: AdapterDeps): Adapter {
  const { accountId } = device;

  async function send(request: SendRequest, { settings, signal }: SendContext<unknown>): Promise<Outcome> {
    const { live } = device;
    if (live === null) return notConnected;
    const sender = { db, accountId, ...live, ackMs };
    const outcome = await Promise.race([sendOver(sender, request), aborted(signal)]);
    if (outcome === null) live.socket.cut('no-ack');
    return drawConsequences(outcome ?? tookTooLong, request, {
      db,
      log,
      accountId,
      settings: settings as WhatsappWebSettings,
      random,
      restrict: () => device.restrict(),
    });
  }

  return { ...described, send };
}

function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

import { type Adapter, adapters, type SendContext, type SendRequest } from '@notify/channels';
import type { Outcome } from '@notify/core';
import { type Db, whatsappWeb } from '@notify/db';
import type { Device } from './device.ts';
import { sendOver } from './send.ts';

/** Settings and capabilities as everybody knows them. */
const described = adapters.get(whatsappWeb)!;

const notConnected: Outcome = {
  kind: 'retry',
  errorCode: 'provider-unreachable',
  text: 'The account is not connected to WhatsApp.',
};

/** The adapter of one account's turns: sends over its device. */
export function adapterOver(device: Device, { db, ackMs }: { db: Db; ackMs: number }): Adapter {
  async function send(request: SendRequest, { signal }: SendContext<unknown>): Promise<Outcome> {
    const { live } = device;
    if (live === null) return notConnected;
    const sender = {
      db,
      accountId: device.accountId,
      ...live,
      ackMs,
      onRestricted: () => device.restrict(),
    };
    const outcome = await Promise.race([sendOver(sender, request), aborted(signal)]);
    if (outcome !== null) return outcome;
    live.socket.cut('no-ack');
    return { kind: 'unknown', text: 'WhatsApp took too long.' };
  }
  return { ...described, send };
}

function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

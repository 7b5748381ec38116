import { randomInt } from 'node:crypto';
import type { Channel, Notify } from '@notify/sdk';
import { CommandFailure } from '../failures.ts';

/** The sandbox account of a channel: the one that was named, or the first. Throws if there is none. */
export async function sandboxAccount(
  notify: Notify,
  channel: Channel,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const accounts = await notify.channelAccounts.list({ signal });
  const sandboxes = accounts.filter((account) => account.provider === 'sandbox');
  const found = sandboxes.find((one) => (wanted === undefined ? one.channel === channel : one.id === wanted));
  if (found !== undefined && found.channel === channel) return found.id;
  throw new CommandFailure(
    wanted === undefined
      ? `there is no sandbox account on ${channel}, and trigger never writes to real people`
      : `${wanted} is not a sandbox account on ${channel}, and trigger never writes to real people`,
    {
      hint: `Run the service with SANDBOX=on, then: notifyctl accounts create --provider sandbox --name Sandbox --set channel=${channel}`,
    },
  );
}

/** An address that a send on the channel takes as `to`. The sandbox chooses the outcome by the last four digits. */
export function addressOf(channel: Channel, lastDigits: string): string {
  const middle = String(randomInt(1_000)).padStart(3, '0');
  return channel === 'telegram'
    ? `7${middle}${randomInt(100, 1_000)}${lastDigits}`
    : `+1555${middle}${lastDigits}`;
}

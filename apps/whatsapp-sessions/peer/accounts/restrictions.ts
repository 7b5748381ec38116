import type { Peer } from '../peer.ts';
import type { LinkedDevice } from '../server/linked-devices.ts';
import { node, nowSeconds, serverId } from '../server/stanzas.ts';

/** The end of the restriction on new chats, in WhatsApp's form; null: there is none. */
export function timeLockOf(until: number | null): object {
  return {
    is_active: until !== null,
    time_enforcement_ends: String(until ?? 0),
    enforcement_type: 'DEFAULT',
  };
}

/** Restricts an account until then, or lifts the restriction with null. Its devices are told at once. */
export function restrict(peer: Peer, phone: string, until: number | null): void {
  peer.behaviours.set({ account: phone }, { restrictedUntil: until });
  for (const device of peer.linked.of(phone)) notify(device, until);
}

function notify({ connection }: LinkedDevice, until: number | null): void {
  const data = { data: { xwa2_notify_account_reachout_timelock: timeLockOf(until) } };
  const update = node(
    'update',
    { op_name: 'NotificationUserReachoutTimelockUpdate' },
    Buffer.from(JSON.stringify(data)),
  );
  const attrs = { from: 's.whatsapp.net', type: 'mex', id: serverId(), t: nowSeconds() };
  connection?.send(node('notification', attrs, [update]));
}

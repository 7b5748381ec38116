import { setTimeout as wait } from 'node:timers/promises';
import type { Commands } from '@notify/testkit/peer-process';
import type { Behaviour, Scope } from './accounts/behaviours.ts';
import { type Ending, endSession, removeDevice } from './accounts/closing.ts';
import type { NumberState } from './accounts/numbers.ts';
import { restrict } from './accounts/restrictions.ts';
import { commandsFromOutside } from './from-outside.ts';
import type { PeerLog } from './log.ts';
import type { MediaBehaviour } from './messages/media-host.ts';
import { type ReceiptOrder, sendReceipt } from './messages/receipts.ts';
import type { Peer } from './peer.ts';
import type { LinkedDevice } from './server/linked-devices.ts';
import { scan } from './server/pairing.ts';
import { enterCode } from './server/pairing-code.ts';
import type { WhatsappServer } from './server/server.ts';
import { node } from './server/stanzas.ts';

/** A linked device as the control port shows it. */
export interface AccountState {
  readonly phone: string;
  readonly jid: string;
  readonly connected: boolean;
  readonly loggedOut: boolean;
  readonly preKeys: number;
  /** Receipts that the client has not acknowledged. */
  readonly unacknowledged: number;
}

/** The latest events, and the current state. */
export interface Changes extends PeerLog {
  readonly version: number;
  readonly accounts: readonly AccountState[];
  /** Phones with a client that shows a pairing code and waits for it to be entered. */
  readonly codeRequests: readonly string[];
}

/** Settings of a behaviour with their scope. Null returns a setting to normal. */
export type BehaviourChange = Scope & { readonly [Key in keyof Behaviour]?: Behaviour[Key] | null };

/** All commands of the control port. */
export function commandsOf(server: WhatsappServer): Commands {
  const { peer } = server;
  return {
    'GET /ledger': () => stateOf(peer),
    'POST /changes': async ({ after, withinMs }: { after: number; withinMs: number }) => {
      await Promise.race([peer.recorder.changed(after), wait(withinMs, undefined, { ref: false })]);
      // Changes that happen together are sent together, because the log may be long.
      await wait(5);
      return stateOf(peer);
    },
    'POST /scan': async ({ qr, phone }: { qr: string; phone: string }) =>
      accountOf(await scan(peer, qr, phone)),
    'POST /enter-code': async ({ code, phone }: { code: string; phone: string }) =>
      accountOf(await enterCode(peer, phone, code)),
    'POST /behave': ({ account, number, ...changes }: BehaviourChange) =>
      peer.behaviours.set(
        { ...(account === undefined ? {} : { account }), ...(number === undefined ? {} : { number }) },
        changes,
      ),
    'POST /number': ({ phone, ...changes }: Partial<NumberState> & { phone: string }) =>
      peer.numbers.set(phone, changes),
    'POST /reinstall': ({ phone }: { phone: string }) => peer.numbers.reinstall(phone),
    'POST /end': ({ phone, as }: { phone: string; as: Ending }) =>
      peer.linked.of(phone).forEach((device) => endSession(device, as)),
    'POST /cut': ({ phone }: { phone: string }) =>
      peer.linked.of(phone).forEach(({ connection }) => connection?.cut()),
    'POST /garbage': ({ phone }: { phone: string }) =>
      peer.linked.of(phone).forEach(({ connection }) => connection?.sendGarbage()),
    'POST /groups-changed': ({ phone }: { phone: string }) =>
      peer.linked
        .of(phone)
        .forEach(({ connection }) => connection?.send(node('ib', {}, [node('dirty', { type: 'groups' })]))),
    'POST /restrict': ({ phone, until }: { phone: string; until: number | null }) =>
      restrict(peer, phone, until),
    'POST /unlink': ({ phone }: { phone: string }) => peer.linked.of(phone).forEach(removeDevice),
    'POST /receipt': ({ account, from, id, kind }: ReceiptOrder) =>
      peer.linked.of(account).forEach((device) => sendReceipt(device, `${from}@s.whatsapp.net`, id, kind)),
    ...commandsFromOutside(peer),
    'POST /media': (behaviour: MediaBehaviour) => peer.media.behave(behaviour),
    'POST /forge-certificate': (forged: boolean) => void (peer.certificateForged = forged),
    'POST /listen': (open: boolean) => server.listen(open),
  };
}

function stateOf(peer: Peer): Changes {
  return {
    version: peer.recorder.version,
    accounts: peer.linked.all().map(accountOf),
    codeRequests: [...peer.codeRequests.keys()],
    ...peer.recorder.snapshot(),
  };
}

function accountOf(device: LinkedDevice): AccountState {
  const { phone, jid, connection, loggedOut, preKeys, unacknowledged } = device;
  return {
    phone,
    jid,
    connected: connection !== null,
    loggedOut,
    preKeys,
    unacknowledged: unacknowledged.size,
  };
}

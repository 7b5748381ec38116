import { type BinaryNode, getAllBinaryNodeChildren, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import { timeLockOf } from '../accounts/restrictions.ts';
import type { Peer } from '../peer.ts';
import type { Connection } from './connection.ts';
import type { LinkedDevice } from './linked-devices.ts';
import { countPreKeys, givePreKeys, rotateSignedPreKey, takePreKeys } from './prekeys.ts';
import { errorNode, node, result } from './stanzas.ts';
import { answerUsync } from './usync.ts';

/** Answers a query of a client that is logged in, unless it is configured to stay unanswered. */
export async function takeQuery(
  peer: Peer,
  connection: Connection,
  device: LinkedDevice,
  query: BinaryNode,
): Promise<void> {
  const name = nameOf(query);
  peer.recorder.asked(device.jid, name);
  if (peer.behaviours.of('unanswered', { account: device.phone }).includes(name)) return;
  const code = peer.behaviours.of('refusedQueries', { account: device.phone })[name];
  if (code !== undefined) return connection.send(failed(query, code));
  try {
    connection.send(await answer(peer, device, query, name));
  } catch (error) {
    peer.recorder.reject(device.jid, name, error);
    connection.send(failed(query, 400));
  }
}

/** `xmlns/type/child`, such as `usync/get/usync`. */
export function nameOf(query: BinaryNode): string {
  const [child] = getAllBinaryNodeChildren(query);
  return `${query.attrs['xmlns']}/${query.attrs['type']}/${child?.tag ?? ''}`;
}

async function answer(
  peer: Peer,
  device: LinkedDevice,
  query: BinaryNode,
  name: string,
): Promise<BinaryNode> {
  switch (name) {
    case 'usync/get/usync':
      return answerUsync(peer, device, query);
    case 'encrypt/get/count':
      return countPreKeys(device, query);
    case 'encrypt/set/registration':
      return takePreKeys(device, query);
    case 'encrypt/set/rotate':
      return rotateSignedPreKey(device, query);
    case 'encrypt/get/digest':
      return result(query, [node('digest')]);
    case 'encrypt/get/key':
      return givePreKeys(peer, query);
    case 'w:m/set/media_conn':
      return result(query, [peer.media.introduction()]);
    case 'w:mex/get/query':
      return result(query, [restriction(peer.behaviours.of('restrictedUntil', { account: device.phone }))]);
    case 'md/set/remove-companion-device':
      device.loggedOut = true;
      return result(query);
    case 'privacy/get/privacy':
      return result(query, [privacy(peer.behaviours.of('readReceipts', { account: device.phone }))]);
    default:
      // Presence, properties, pings: clients accept an empty answer.
      return result(query);
  }
}

function privacy(readReceipts: boolean): BinaryNode {
  const value = readReceipts ? 'all' : 'none';
  return node('privacy', {}, [node('category', { name: 'readreceipts', value })]);
}

/** Answers the only query of this kind we know: the end of the restriction on new chats. */
function restriction(until: number | null): BinaryNode {
  const data = { data: { xwa2_fetch_account_reachout_timelock: timeLockOf(until) } };
  return node('result', {}, Buffer.from(JSON.stringify(data)));
}

function failed(query: BinaryNode, code: number): BinaryNode {
  return node('iq', { from: S_WHATSAPP_NET, type: 'error', id: query.attrs['id'] }, [errorNode(code)]);
}

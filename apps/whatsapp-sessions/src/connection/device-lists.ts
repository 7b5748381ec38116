import {
  type BinaryNode,
  getAllBinaryNodeChildren,
  isLidUser,
  jidDecode,
  type makeWASocket,
} from '@whiskeysockets/baileys';

type Sock = Pick<ReturnType<typeof makeWASocket>, 'ws' | 'signalRepository' | 'authState'>;

interface Kept {
  readonly list: unknown;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

const keptMs = 300_000;
const maxUsers = 1_000;

/**
 * Baileys' cache of device lists, by the user of their JID. A list is kept for five minutes, and dropped when it has
 * changed.
 */
export class DeviceLists {
  private readonly lists = new Map<string, Kept>();
  private readonly hashes = new Map<string, string>();

  get<T>(user: string): T | undefined {
    const kept = this.lists.get(user);
    if (kept === undefined || kept.until < performance.now()) return undefined;
    return kept.list as T;
  }

  set<T>(user: string, list: T): void {
    keep(this.lists, user, { list, until: performance.now() + keptMs });
  }

  del(user: string): void {
    this.lists.delete(user);
  }

  flushAll(): void {
    this.lists.clear();
  }

  /**
   * Notes the server's hash of the devices that a message to `user` had to reach. True if it differs from the last one.
   */
  isNewHash(user: string, hash: string): boolean {
    if (this.hashes.get(user) === hash) return false;
    keep(this.hashes, user, hash);
    return true;
  }
}

/**
 * Drops device lists when WhatsApp announces a change: in a notification about a user's devices, or our own, or by a
 * new hash (`phash`) in the answer to a message. Baileys ignores hashes, and notifications that name no device or name
 * the user by LID.
 */
export function followDeviceLists({ ws, signalRepository, authState }: Sock, lists: DeviceLists): void {
  function drop(jids: readonly string[]): void {
    for (const jid of jids) {
      lists.del(userOf(jid));
      if (isLidUser(jid)) dropNumberOf(jid);
    }
  }

  function dropNumberOf(lid: string): void {
    signalRepository.lidMapping.getPNForLID(lid).then(
      (jid) => lists.del(userOf(jid ?? '')),
      () => lists.flushAll(),
    );
  }

  ws.on('CB:notification,type:devices', (node: BinaryNode) => drop(jidsIn(node)));
  ws.on('CB:notification,type:account_sync', (node: BinaryNode) => {
    if (getAllBinaryNodeChildren(node).some(({ tag }) => tag === 'devices')) drop(jidsIn(node));
  });
  ws.on('CB:ack,class:message', ({ attrs: { from, phash } }: BinaryNode) => {
    if (!from || !phash || !lists.isNewHash(userOf(from), phash)) return;
    drop([from, authState.creds.me?.id ?? '']);
  });
}

/** The JIDs in a stanza and its parts. */
function jidsIn(node: BinaryNode): string[] {
  const { from, lid, jid } = node.attrs;
  const mine = [from, lid, jid].filter((one) => one !== undefined);
  return [...mine, ...getAllBinaryNodeChildren(node).flatMap(jidsIn)];
}

function userOf(jid: string): string {
  return jidDecode(jid)?.user ?? '';
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxUsers && oldest !== undefined) map.delete(oldest);
}

import {
  addTransactionCapability,
  type BinaryNode,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  encodeWAMessage,
  initAuthCreds,
  KEY_BUNDLE_TYPE,
  parseAndInjectE2ESessions,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  unpadRandomMax16,
  xmppPreKey,
  xmppSignedPreKey,
} from '@whiskeysockets/baileys';
import { noLog } from '../../src/connection/library.ts';
import type { DeviceKeys, LinkedDevice } from '../server/linked-devices.ts';
import { bytesOf, node } from '../server/stanzas.ts';

/** A recipient's device as a full Signal party, so a message that it reads was really encrypted for it. */
export class SignalParty {
  private readonly creds = initAuthCreds();
  private readonly keys = addTransactionCapability(memoryKeys(), noLog, {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 10,
  });
  private readonly repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds: this.creds, keys: this.keys },
    noLog,
  );
  private lastPreKey = 0;

  /** The registration id, as stanzas carry it. */
  registration(): BinaryNode {
    return node('registration', {}, encodeBigEndian(this.creds.registrationId));
  }

  /** The keys that a sender needs to begin a session, with a new one-time prekey. */
  async bundle(): Promise<BinaryNode[]> {
    const [id, pair] = [++this.lastPreKey, Curve.generateKeyPair()];
    await this.keys.set({ 'pre-key': { [id]: pair } });
    return [
      this.registration(),
      node('type', {}, KEY_BUNDLE_TYPE),
      node('identity', {}, this.creds.signedIdentityKey.public),
      xmppSignedPreKey(this.creds.signedPreKey),
      xmppPreKey(pair, id),
    ];
  }

  /** An `enc` part of a message to the device `to` (a JID). Begins a session if there is none. */
  async encrypt(to: string, { parts, preKeys }: DeviceKeys, message: proto.IMessage): Promise<BinaryNode> {
    if (!(await this.repository.validateSession(to)).exists) {
      const user = node('user', { jid: to }, [...parts, ...preKeys.splice(0, 1)]);
      await parseAndInjectE2ESessions(node('iq', {}, [node('list', {}, [user])]), this.repository);
    }
    const data = encodeWAMessage(proto.Message.fromObject(message));
    const { type, ciphertext } = await this.repository.encryptMessage({ jid: to, data });
    return node('enc', { v: '2', type }, ciphertext);
  }

  /** The `enc` parts of a message to a group: the sender's key for the device, and the message under that key. */
  async encryptForGroup(
    group: string,
    from: string,
    { jid, keys }: Pick<LinkedDevice, 'jid' | 'keys'>,
    message: proto.IMessage,
  ): Promise<BinaryNode[]> {
    const data = encodeWAMessage(proto.Message.fromObject(message));
    const { ciphertext, senderKeyDistributionMessage } = await this.repository.encryptGroupMessage({
      group,
      meId: from,
      data,
    });
    const key = { groupId: group, axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage };
    return [
      await this.encrypt(jid, keys!, { senderKeyDistributionMessage: key }),
      node('enc', { v: '2', type: 'skmsg' }, ciphertext),
    ];
  }

  /** Reads an `enc` part of a message from the device `from` (a JID). Throws when it cannot be decrypted. */
  async decrypt(from: string, enc: BinaryNode): Promise<proto.Message> {
    const type = enc.attrs['type'];
    if (type !== 'pkmsg' && type !== 'msg') throw new Error(`no such encryption: ${type}`);
    const ciphertext = bytesOf(enc);
    const padded = await this.repository.decryptMessage({ jid: from, type, ciphertext });
    return proto.Message.decode(unpadRandomMax16(padded));
  }
}

function memoryKeys(): SignalKeyStore {
  const rows = new Map<string, unknown>();
  return {
    get<Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) {
      const found = ids.flatMap((id) => (rows.has(`${type} ${id}`) ? [[id, rows.get(`${type} ${id}`)]] : []));
      return Object.fromEntries(found) as Record<string, SignalDataTypeMap[Type]>;
    },
    set(data: SignalDataSet) {
      for (const [type, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values)) {
          if (value === null) rows.delete(`${type} ${id}`);
          else rows.set(`${type} ${id}`, value);
        }
      }
    },
  };
}

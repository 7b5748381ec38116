import {
  type AuthenticationCreds,
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  type SignalAuthState,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  type UserFacingSocketConfig,
  type WAMessage,
} from '@whiskeysockets/baileys';
import { type Content, contentOf, type FilePlace } from './content.ts';
import {
  decodeContent,
  type Envelope,
  envelopeOf,
  type ReadMessage,
  readMessage,
  type Self,
  withheldKind,
  withheldMessage,
} from './read.ts';

export interface ReceiverDeps {
  readonly creds: AuthenticationCreds;
  /** Commits a message. If it rejects, the connection ends and WhatsApp sends the message again. */
  readonly commit: (message: ReadMessage) => Promise<void>;
  readonly refer: (file: FilePlace, messageId: string) => unknown;
  /** Ends the connection before it returns. */
  readonly cut: () => void;
}

type MakeRepository = NonNullable<UserFacingSocketConfig['makeSignalRepository']>;

/**
 * Commits what people write before WhatsApp learns that it has arrived.
 *
 * Baileys decrypts a message, sends the receipt that makes WhatsApp forget it, and emits it last. After a crash in
 * between the message would be lost, and it could not be decrypted again either, because its key is used up. So
 * decryption itself is wrapped: the message is committed inside the transaction of the Signal keys, and these are
 * written only after that. A crash at any point leaves a message that is sent again, and then either stored or known.
 */
export class Receiver {
  /** Goes into Baileys' configuration. */
  readonly makeSignalRepository: MakeRepository;
  private readonly deps: ReceiverDeps;
  /** The stanzas under way, by their encrypted parts. */
  private readonly stanzas = new WeakMap<Uint8Array, BinaryNode>();
  private repository: SignalRepositoryWithLIDStore | null = null;

  constructor(deps: ReceiverDeps) {
    this.deps = deps;
    this.makeSignalRepository = (auth, log, numbers) => {
      const library = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, log, numbers);
      this.repository = library;
      return this.receiving(library, auth);
    };
  }

  /** Call it with each stanza before Baileys reads it. */
  note(stanza: BinaryNode): void {
    if (stanza.tag !== 'message' || !Array.isArray(stanza.content)) return;
    for (const { tag, content } of stanza.content)
      if (tag === 'enc' && content instanceof Uint8Array) this.stanzas.set(content, stanza);
  }

  /**
   * Commits the notice of a message that WhatsApp gives no linked device. Await it before Baileys reads the stanza. Null
   * if the stanza is no such message.
   */
  takeWithheld(stanza: BinaryNode): Promise<void> | null {
    const kind = withheldKind(stanza);
    const envelope = kind === null ? null : envelopeOf(stanza, this.self());
    return kind === null || envelope === null ? null : this.commit(envelope, withheldMessage(kind));
  }

  /** Commits a message that the phone has sent again, because WhatsApp had it without its content. */
  async takeResent({ key, message, messageTimestamp, pushName }: WAMessage): Promise<void> {
    const content = message ? contentOf(message) : null;
    if (content === null || key.fromMe === true || !key.id || !key.remoteJid) return;
    const sentAt = Number(messageTimestamp);
    await this.commit({ key, sentAt: sentAt > 0 ? sentAt : null, name: pushName || null }, content);
  }

  private receiving(
    library: SignalRepositoryWithLIDStore,
    auth: SignalAuthState,
  ): SignalRepositoryWithLIDStore {
    const keys = auth.keys as SignalKeyStoreWithTransaction;
    const decryptMessage = library.decryptMessage.bind(library);
    const decryptGroupMessage = library.decryptGroupMessage.bind(library);
    return Object.assign(library, {
      decryptMessage: (sealed: Parameters<typeof decryptMessage>[0]) =>
        this.decrypt(keys, sealed.jid, sealed.ciphertext, () => decryptMessage(sealed)),
      decryptGroupMessage: (sealed: Parameters<typeof decryptGroupMessage>[0]) =>
        this.decrypt(keys, sealed.group, sealed.msg, () => decryptGroupMessage(sealed)),
    });
  }

  /** Nested transactions are one, so the keys are written when the outer one ends. */
  private decrypt(
    keys: SignalKeyStoreWithTransaction,
    of: string,
    sealed: Uint8Array,
    open: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    return keys.transaction(async () => {
      const plain = await open();
      const stanza = this.stanzas.get(sealed);
      if (stanza !== undefined) await this.take(stanza, plain);
      return plain;
    }, of);
  }

  private async take(stanza: BinaryNode, plain: Uint8Array): Promise<void> {
    const envelope = envelopeOf(stanza, this.self());
    const content = envelope === null ? null : decodeContent(plain);
    if (envelope !== null && content !== null) await this.commit(envelope, content);
  }

  private async commit(envelope: Envelope, content: Content): Promise<void> {
    const { refer } = this.deps;
    const numberOf = (lid: string) => this.repository!.lidMapping.getPNForLID(lid);
    const read = await readMessage(envelope, content, { self: this.self(), numberOf, refer });
    if (read === null) return;
    try {
      await this.deps.commit(read);
    } catch (error) {
      // Before Baileys can answer that the message was unreadable, after which WhatsApp would not send it again.
      this.deps.cut();
      throw error;
    }
  }

  private self(): Self {
    const { id = '', lid = '' } = this.deps.creds.me ?? {};
    return { id, lid };
  }
}

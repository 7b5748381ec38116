/** One WebSocket, from its opening to its end. Times are milliseconds of the epoch, with fractions, from one clock. */
export interface ConnectionEntry {
  readonly id: number;
  readonly openedAt: number;
  /** The fingerprint of the client's Noise key, known at the end of the handshake. */
  noiseKey: string | null;
  /** The routing information that the client sent, in hexadecimal; null without. */
  routing: string | null;
  /** The JID that logged in. */
  jid: string | null;
  loggedInAt: number | null;
  closedAt: number | null;
  /** The stanza with which the server ended it, such as `515` or `conflict`; null if the client left. */
  ended: string | null;
  /** The connection that replaced it, because the same session was opened a second time. */
  replacedBy: number | null;
}

/** One message stanza as a client sent it. */
export interface StanzaEntry {
  readonly at: number;
  readonly id: string;
  /** The sender's JID. */
  readonly from: string;
  /** The recipient's number. */
  readonly to: string;
  /** The JIDs of the recipient's devices it holds a copy for. None: it went to the sender's own phone only. */
  readonly copies: readonly string[];
  /**
   * The server's reaction: `ack`, `lost` (delivered, no ack), `retry` (asked for again), or the code of the refusal.
   */
  readonly answer: 'ack' | 'lost' | 'retry' | number;
}

/** One message as a device of the recipient has decrypted it. */
export interface MessageEntry {
  readonly at: number;
  readonly id: string;
  readonly from: string;
  /** The recipient's number. */
  readonly to: string;
  readonly device: number;
  readonly kind: 'text' | 'image' | 'video' | 'audio' | 'document' | 'other';
  /** The text, or the caption; null if there is none. */
  readonly text: string | null;
  readonly media: MediaEntry | null;
  /** What it quotes: WhatsApp's id of the message, its author's JID, and its text. */
  readonly answers: { readonly id: string; readonly of: string; readonly text: string } | null;
  /** The device had this id already, so it shows the message once. */
  readonly duplicate: boolean;
}

/** An attachment after download and decryption. */
export interface MediaEntry {
  readonly mimetype: string | null;
  readonly fileName: string | null;
  readonly bytes: number;
  /** Of the plaintext, in hexadecimal. */
  readonly sha256: string;
}

/** One message that a person wrote to a linked device. */
export interface WrittenEntry {
  readonly at: number;
  readonly id: string;
  /** The device's JID. */
  readonly to: string;
  /** How often the server has sent it. */
  sent: number;
  /** The device's answers, in order: the types of its receipts (`delivered` has none), or `ack` with an error. */
  readonly answers: string[];
}

/** A chat that a device showed that it types. */
export interface TypedEntry {
  readonly at: number;
  /** The device's JID. */
  readonly from: string;
  readonly to: string;
}

/** An input that WhatsApp refused. */
export interface RejectedEntry {
  readonly at: number;
  /** The JID or the connection it came from. */
  readonly from: string;
  readonly what: string;
  readonly why: string;
}

/** All events. */
export interface PeerLog {
  readonly connections: readonly ConnectionEntry[];
  readonly stanzas: readonly StanzaEntry[];
  readonly messages: readonly MessageEntry[];
  readonly written: readonly WrittenEntry[];
  readonly typed: readonly TypedEntry[];
  readonly rejected: readonly RejectedEntry[];
  /** Queries by JID and name, each with its count. */
  readonly queries: Readonly<Record<string, number>>;
}

/** Logs events, and lets others wait for the next one. */
export class Recorder {
  readonly connections: ConnectionEntry[] = [];
  readonly stanzas: StanzaEntry[] = [];
  readonly messages: MessageEntry[] = [];
  readonly inbound: WrittenEntry[] = [];
  readonly typing: TypedEntry[] = [];
  readonly rejected: RejectedEntry[] = [];
  readonly queries: Record<string, number> = {};
  private readonly shown = new Set<string>();
  private changes = 0;
  private waiting: (() => void)[] = [];

  /** Counts every change; `changed` resolves as soon as it is above this. */
  get version(): number {
    return this.changes;
  }

  /** Call it after each change. */
  touch(): void {
    this.changes += 1;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  opened(): ConnectionEntry {
    const id = this.connections.length + 1;
    const unknown = { noiseKey: null, routing: null, jid: null, loggedInAt: null };
    const entry = { id, openedAt: now(), ...unknown, closedAt: null, ended: null, replacedBy: null };
    this.connections.push(entry);
    this.touch();
    return entry;
  }

  sent(entry: Omit<StanzaEntry, 'at'>): void {
    this.stanzas.push({ at: now(), ...entry });
    this.touch();
  }

  decrypted(entry: Omit<MessageEntry, 'at' | 'duplicate'>): void {
    const seen = `${entry.id} ${entry.to} ${entry.device}`;
    this.messages.push({ at: now(), ...entry, duplicate: this.shown.has(seen) });
    this.shown.add(seen);
    this.touch();
  }

  written(to: string, id: string): WrittenEntry {
    const entry = { at: now(), id, to, sent: 0, answers: [] };
    this.inbound.push(entry);
    this.touch();
    return entry;
  }

  answered(by: string, id: string, answer: string): void {
    this.inbound.findLast((entry) => entry.id === id && entry.to === by)?.answers.push(answer);
    this.touch();
  }

  typed(from: string, to: string): void {
    this.typing.push({ at: now(), from, to });
    this.touch();
  }

  reject(from: string, what: string, why: unknown): void {
    this.rejected.push({ at: now(), from, what, why: why instanceof Error ? why.message : String(why) });
    this.touch();
  }

  asked(jid: string, name: string): void {
    const key = `${jid} ${name}`;
    this.queries[key] = (this.queries[key] ?? 0) + 1;
    this.touch();
  }

  /** Resolves when something has changed since `version`. */
  changed(version: number): Promise<void> {
    if (version < this.changes) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  snapshot(): PeerLog {
    const { connections, stanzas, messages, inbound: written, typing: typed, rejected, queries } = this;
    return { connections, stanzas, messages, written, typed, rejected, queries };
  }
}

/** Milliseconds of the epoch that never decrease. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

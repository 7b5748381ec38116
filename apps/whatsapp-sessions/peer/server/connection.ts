import {
  type BinaryNode,
  decodeBinaryNode,
  encodeBinaryNode,
  NOISE_WA_HEADER,
} from '@whiskeysockets/baileys';
import type { WebSocket } from 'ws';
import type { ConnectionEntry } from '../log.ts';
import type { ServerCertificate } from './certificates.ts';
import type { DeviceConnection, LinkedDevice } from './linked-devices.ts';
import { type ClientIntroduction, NoiseResponder } from './noise.ts';

/** The server's reactions to a connection. */
export interface ConnectionEvents {
  certificate(): ServerCertificate;
  /** Whether the server leaves everything on this connection unanswered. */
  isFrozen(connection: Connection): boolean;
  introduced(connection: Connection, client: ClientIntroduction): void;
  received(connection: Connection, stanza: BinaryNode): Promise<void>;
  /** The input was invalid. The connection is closed after this. */
  failed(connection: Connection, error: unknown): void;
}

/** One WebSocket of a client: its frames, its handshake, and then its encrypted stanzas, one after the other. */
export class Connection implements DeviceConnection {
  /** The device that has logged in here. */
  device: LinkedDevice | null = null;
  /** The client's public Noise key, once the handshake has ended. */
  noiseKey: Buffer | null = null;
  readonly entry: ConnectionEntry;
  private readonly socket: WebSocket;
  private readonly events: ConnectionEvents;
  private readonly noise = new NoiseResponder();
  private readonly answers = new Map<string, (stanza: BinaryNode) => void>();
  private stage: 'intro' | 'hello' | 'finish' | 'open' = 'intro';
  private received = Buffer.alloc(0);
  private work = Promise.resolve();
  private readonly left = Promise.withResolvers<never>();

  constructor(entry: ConnectionEntry, socket: WebSocket, events: ConnectionEvents) {
    this.entry = entry;
    this.socket = socket;
    this.events = events;
    this.left.promise.catch(() => undefined);
    socket.on('close', () => this.left.reject(new Error('the client has left')));
    socket.on('error', (error) => this.fail(error));
    socket.on('message', (data: Buffer) => {
      this.work = this.work.then(() => this.take(data)).catch((error: unknown) => this.fail(error));
    });
  }

  /** Sends a stanza. On a closed connection it is lost. */
  send(stanza: BinaryNode): void {
    this.sendFrame(this.noise.seal(encodeBinaryNode(stanza)));
  }

  /** Sends a frame that cannot be decrypted. */
  sendGarbage(): void {
    this.sendFrame(Buffer.alloc(64, 1));
  }

  /** Sends a query and resolves with the client's answer; rejects if the client leaves. */
  ask(query: BinaryNode): Promise<BinaryNode> {
    const { promise, resolve } = Promise.withResolvers<BinaryNode>();
    this.answers.set(query.attrs['id'] ?? '', resolve);
    this.send(query);
    return this.orLeft(promise);
  }

  /** The same promise, but it rejects if the client leaves first. */
  orLeft<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.left.promise]);
  }

  /** Ends the connection with a last stanza, and logs the reason. The client gets a moment to read it and leave. */
  end(reason: string, last: BinaryNode): void {
    this.entry.ended = reason;
    this.send(last);
    setTimeout(() => this.socket.close(), 200).unref();
  }

  /** Closes the connection without a last stanza. */
  cut(): void {
    this.entry.ended ??= 'cut';
    this.socket.terminate();
  }

  private fail(error: unknown): void {
    this.entry.ended ??= 'failed';
    this.events.failed(this, error);
    this.socket.close();
  }

  private async take(data: Buffer): Promise<void> {
    if (this.events.isFrozen(this)) return;
    this.received = Buffer.concat([this.received, data]);
    if (this.stage === 'intro' && !this.takeIntro()) return;
    for (let frame = this.nextFrame(); frame !== null; frame = this.nextFrame()) await this.takeFrame(frame);
  }

  /** The intro is `WA`, 6, 3. Before it there may be `ED`, 0, 1 and routing information, with its length in 3 bytes. */
  private takeIntro(): boolean {
    if (this.received.length < 7) return false;
    if (this.received.toString('latin1', 0, 2) === 'ED') {
      const end = 7 + this.received.readUIntBE(4, 3);
      if (this.received.length < end + 4) return false;
      this.entry.routing = this.received.toString('hex', 7, end);
      this.received = this.received.subarray(end);
    }
    if (!this.received.subarray(0, 4).equals(Buffer.from(NOISE_WA_HEADER)))
      throw new Error('no WhatsApp client');
    this.received = this.received.subarray(4);
    this.stage = 'hello';
    return true;
  }

  private nextFrame(): Buffer | null {
    if (this.received.length < 3) return null;
    const end = 3 + this.received.readUIntBE(0, 3);
    if (this.received.length < end) return null;
    const frame = this.received.subarray(3, end);
    this.received = this.received.subarray(end);
    return frame;
  }

  private async takeFrame(frame: Buffer): Promise<void> {
    if (this.stage === 'hello') {
      this.sendFrame(this.noise.answerHello(frame, this.events.certificate()));
      this.stage = 'finish';
    } else if (this.stage === 'finish') {
      const client = this.noise.finish(frame);
      this.stage = 'open';
      this.noiseKey = client.noiseKey;
      this.events.introduced(this, client);
    } else {
      await this.takeStanza(await decodeBinaryNode(this.noise.open(frame)));
    }
  }

  private async takeStanza(stanza: BinaryNode): Promise<void> {
    const { id = '', type } = stanza.attrs;
    const waiting = stanza.tag === 'iq' && type === 'result' ? this.answers.get(id) : undefined;
    if (waiting === undefined) return this.events.received(this, stanza);
    this.answers.delete(id);
    waiting(stanza);
  }

  private sendFrame(body: Uint8Array): void {
    const length = Buffer.alloc(3);
    length.writeUIntBE(body.length, 0, 3);
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(Buffer.concat([length, body]));
  }
}

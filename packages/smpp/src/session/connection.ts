import type { Socket } from 'node:net';
import type { Decoded } from '../pdu/decode.ts';
import { encodePdu } from '../pdu/encode.ts';
import { type Command, commandIds, isResponse } from '../pdu/layouts.ts';
import { maxSequence, type Pdu, type PduContent } from '../pdu/pdu.ts';
import { createPduReader, type Frame } from '../pdu/pdu-reader.ts';
import { statuses } from '../statuses/codes.ts';
import type { Clock } from './clock.ts';

/** What became of a request. */
export type Answer =
  | { readonly kind: 'answered'; readonly pdu: Pdu }
  /** No answer in time. It may still come. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'lost'; readonly text: string };

/** What a connection tells beside answers, for logs and metrics. None of it has words of a person. */
export type ConnectionEvent =
  /** A response that answers nothing: of another sequence number, of another command, or a second time. */
  | { readonly kind: 'unmatched'; readonly command: Command; readonly sequence: number }
  /** The answer to a request whose time was up. */
  | { readonly kind: 'late'; readonly pdu: Pdu }
  /** A PDU that cannot be read. */
  | { readonly kind: 'fault'; readonly text: string };

export interface ConnectionOptions {
  readonly socket: Socket;
  readonly clock: Clock;
  /** A request of the peer. Called in the order of the wire. */
  readonly onRequest: (pdu: Pdu) => void;
  readonly onEvent: (event: ConnectionEvent) => void;
}

/** The octets of a request, written at its turn. */
export interface PreparedRequest {
  readonly command: Command;
  readonly octets: Buffer;
}

/** Checks a request and writes it out, without its sequence number. Throws a `RangeError` for what a field cannot hold. */
export function prepare(content: PduContent): PreparedRequest {
  return { command: content.command, octets: encodePdu({ ...content, sequence: 0 }) };
}

/** Octets that may wait for a peer that does not read. More end the connection. */
const maxUnsentBytes = 1_048_576;

interface Awaited {
  readonly command: Command;
  readonly resolve: (answer: Answer) => void;
  readonly onGone: () => void;
  readonly cancelDeadline: () => void;
  isLate: boolean;
}

/** A socket that carries PDUs: it numbers requests, finds the answer of each, and ends what cannot be read. */
export class Connection {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #options: ConnectionOptions;
  readonly #reader = createPduReader();
  readonly #awaited = new Map<number, Awaited>();
  readonly #ended = Promise.withResolvers<string>();
  #lastSequence = 0;
  #lastReceivedAt: number;
  #endText: string | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#socket = options.socket;
    this.#clock = options.clock;
    this.#lastReceivedAt = this.#clock.now();
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', (error) => this.#finish(`the connection broke: ${error.message}`));
    this.#socket.on('close', () => this.#finish('the connection was closed'));
    this.#socket.resume();
    if (this.#socket.destroyed) this.#finish('the connection was closed');
  }

  /** Resolves with the reason once nothing more is read or written. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get isOpen(): boolean {
    return this.#endText === null;
  }

  /** When the last octets of the peer arrived, by the clock. */
  get lastReceivedAt(): number {
    return this.#lastReceivedAt;
  }

  /**
   * Writes a request and waits for its answer at most `withinMs`. `onGone` is called once the peer owes no answer any more: it came,
   * in time or late, or the connection ended. The connection must be open.
   */
  request(
    prepared: PreparedRequest,
    withinMs: number,
    onGone: () => void = () => undefined,
  ): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const sequence = this.#nextSequence();
    const awaited: Awaited = {
      command: prepared.command,
      resolve,
      onGone,
      isLate: false,
      cancelDeadline: this.#clock.after(withinMs, () => {
        awaited.isLate = true;
        resolve({ kind: 'silent' });
      }),
    };
    this.#awaited.set(sequence, awaited);
    prepared.octets.writeUInt32BE(sequence, 12);
    this.#write(prepared.octets);
    return promise;
  }

  /** Answers a request of the peer. Does nothing once the connection has ended. */
  respond(pdu: Pdu): void {
    if (this.isOpen) this.#write(encodePdu(pdu));
  }

  /** Ends the connection at once. What was not answered is lost. */
  destroy(text: string): void {
    this.#finish(text);
    this.#socket.destroy();
  }

  /** Ends the connection after what was written has left. */
  end(text: string): void {
    this.#finish(text);
    this.#socket.destroySoon();
  }

  #nextSequence(): number {
    do this.#lastSequence = (this.#lastSequence % maxSequence) + 1;
    while (this.#awaited.has(this.#lastSequence));
    return this.#lastSequence;
  }

  #write(octets: Buffer): void {
    this.#socket.write(octets);
    if (this.#socket.writableLength > maxUnsentBytes) this.destroy('the peer does not read');
  }

  #read(chunk: Buffer): void {
    this.#lastReceivedAt = this.#clock.now();
    for (const frame of this.#reader.push(chunk)) if (this.isOpen) this.#take(frame);
  }

  #take(frame: Frame): void {
    switch (frame.kind) {
      case 'pdu':
        return isResponse(commandIds[frame.pdu.command])
          ? this.#takeResponse(frame.pdu)
          : this.#options.onRequest(frame.pdu);
      case 'fault':
        return this.#refuse(frame);
      case 'broken':
        this.#options.onEvent({ kind: 'fault', text: frame.text });
        this.respond(nack(statuses.ESME_RINVCMDLEN, 0));
        return this.end(`the peer sent ${frame.text}`);
    }
  }

  #takeResponse(pdu: Pdu): void {
    const { command, sequence } = pdu;
    const awaited = this.#awaited.get(sequence);
    const isAnswer = command === 'generic_nack' || command === `${awaited?.command}_resp`;
    if (awaited === undefined || !isAnswer)
      return this.#options.onEvent({ kind: 'unmatched', command, sequence });
    this.#awaited.delete(sequence);
    awaited.cancelDeadline();
    if (awaited.isLate) this.#options.onEvent({ kind: 'late', pdu });
    awaited.resolve({ kind: 'answered', pdu });
    awaited.onGone();
  }

  #refuse({ command, header, status, text }: Extract<Decoded, { kind: 'fault' }>): void {
    this.#options.onEvent({ kind: 'fault', text });
    if (isResponse(header.commandId)) return;
    const { sequence } = header;
    if (command === 'deliver_sm' || command === 'data_sm')
      this.respond(answerToDelivery(command, status, sequence));
    else this.respond(nack(status, sequence));
  }

  #finish(text: string): void {
    if (this.#endText !== null) return;
    this.#endText = text;
    const awaited = [...this.#awaited.values()];
    this.#awaited.clear();
    for (const each of awaited) {
      each.cancelDeadline();
      each.resolve({ kind: 'lost', text });
    }
    this.#ended.resolve(text);
    for (const each of awaited) each.onGone();
  }
}

/** The response to a delivery. Its message id is empty. */
export function answerToDelivery(command: 'deliver_sm' | 'data_sm', status: number, sequence: number): Pdu {
  return { command: `${command}_resp`, status, sequence, fields: { messageId: '' }, tlvs: [] };
}

/** Refuses a PDU that has no response of its own (SMPP 3.4, 4.3). */
export function nack(status: number, sequence: number): Pdu {
  return { command: 'generic_nack', status, sequence, fields: {}, tlvs: [] };
}

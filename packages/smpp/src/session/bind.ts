import type { Socket } from 'node:net';
import type { Pdu, PduContent } from '../pdu/pdu.ts';
import { statuses } from '../statuses/codes.ts';
import type { SubmitResult } from '../statuses/outcome.ts';
import type { Delivery } from '../text/incoming.ts';
import type { Clock } from './clock.ts';
import {
  type Answer,
  answerToDelivery,
  Connection,
  type ConnectionEvent,
  nack,
  prepare,
  type PreparedRequest,
} from './connection.ts';
import { createDeliveries, type Deliveries, type DeliveryPdu } from './deliveries.ts';
import { notWritten, resultOf } from './submit-result.ts';

export type BindMode = 'transceiver' | 'transmitter' | 'receiver';

export type BindEvent = ConnectionEvent | { readonly kind: 'delivery-failed'; readonly error: unknown };

export interface BindOptions {
  readonly mode: BindMode;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly addressRange?: string;
  /** The most `submit_sm` that the SMSC owes an answer to. */
  readonly window: number;
  /** How long any request waits for its answer, in ms. */
  readonly answerWithinMs: number;
  /** After how much silence of the SMSC the link is tried, in ms. */
  readonly enquireEveryMs: number;
  /** The most deliveries that are handled at once. */
  readonly deliveriesAtOnce: number;
  /** The most deliveries that wait for that. More are refused for now. */
  readonly deliveriesWaiting: number;
  /** Dials the SMSC, within the rules of egress and over TLS if the account says so. Rejects if that fails. */
  readonly connect: () => Promise<Socket>;
  /** Stores a message or a receipt. The SMSC gets its answer once this resolves. Not called for transmitters. */
  readonly onDelivery: (delivery: Delivery) => Promise<void>;
  readonly onEvent?: (event: BindEvent) => void;
  readonly clock: Clock;
}

/** Why a bind is over. */
export type BindEnd =
  | { readonly kind: 'closed' }
  /** The SMSC asked for it. */
  | { readonly kind: 'unbound' }
  | { readonly kind: 'lost'; readonly text: string };

interface Waiting {
  readonly prepared: PreparedRequest;
  readonly resolve: (result: SubmitResult) => void;
}

/** A bind that the SMSC has taken, until it ends. It never repeats a message and never reconnects. */
export class Bind {
  readonly #options: BindOptions;
  readonly #connection: Connection;
  readonly #deliveries: Deliveries;
  readonly #waiting: Waiting[] = [];
  readonly #ended: Promise<BindEnd>;
  #state: 'binding' | 'bound' | 'closing' = 'binding';
  #cleanEnd: BindEnd | null = null;
  /** Messages that the SMSC owes an answer to, and those of them whose time is up. */
  #owed = 0;
  #overdue = 0;
  #onIdle = (): void => undefined;
  #cancelEnquiry = (): void => undefined;

  /** Made by `openBind`. */
  constructor(socket: Socket, options: BindOptions) {
    this.#options = options;
    const { clock, onDelivery } = options;
    const onEvent = options.onEvent ?? (() => undefined);
    this.#connection = new Connection({ socket, clock, onEvent, onRequest: (pdu) => this.#takeRequest(pdu) });
    this.#deliveries = createDeliveries(
      {
        handle: onDelivery,
        most: options.deliveriesAtOnce,
        mostWaiting: options.deliveriesWaiting,
        answer: (delivery, status) => this.#answerDelivery(delivery, status),
        onError: (error) => onEvent({ kind: 'delivery-failed', error }),
      },
      () => this.#checkIdle(),
    );
    this.#ended = this.#connection.ended.then((text) => this.#afterEnd(text));
  }

  /** Resolves once the connection is gone. */
  get ended(): Promise<BindEnd> {
    return this.#ended;
  }

  /** How many messages the SMSC owes an answer to. */
  get outstanding(): number {
    return this.#owed;
  }

  /** How many messages could be written at once. */
  get free(): number {
    return this.#takesMessages ? this.#options.window - this.#owed : 0;
  }

  get #takesMessages(): boolean {
    return this.#state === 'bound' && this.#connection.isOpen;
  }

  /** Asks the SMSC for the bind. Only `openBind` calls it. */
  async bind(): Promise<Answer> {
    const { mode, systemId, password, systemType, addressRange = '', answerWithinMs } = this.#options;
    const answer = await this.#connection.request(
      prepare({
        command: `bind_${mode}`,
        status: 0,
        fields: {
          systemId,
          password,
          systemType,
          interfaceVersion: 0x34,
          addrTon: 0,
          addrNpi: 0,
          addressRange,
        },
        tlvs: [],
      }),
      answerWithinMs,
    );
    if (answer.kind !== 'answered' || answer.pdu.status !== statuses.ESME_ROK || !this.#connection.isOpen) {
      this.#connection.end('the bind was refused');
      return answer;
    }
    if (this.#state === 'binding') this.#state = 'bound';
    this.#deliveries.open();
    this.#enquireAfter(this.#options.enquireEveryMs);
    return answer;
  }

  /**
   * Writes a message as soon as the window has a place, and resolves with what became of it. Messages are written in the order of the
   * calls. Rejects with a `RangeError` for a field that cannot be written.
   */
  async submit(content: PduContent<'submit_sm'>): Promise<SubmitResult> {
    if (this.#options.mode === 'receiver') throw new Error('a receiver sends nothing');
    const prepared = prepare(content);
    if (!this.#takesMessages) return notWritten('the bind has ended');
    if (this.free > 0) return this.#write(prepared);
    const { promise, resolve } = Promise.withResolvers<SubmitResult>();
    this.#waiting.push({ prepared, resolve });
    return promise;
  }

  /**
   * Ends the bind: what waits is not written, what was written gets its answer, deliveries that arrived are handled, then unbinds. Waits
   * for each of these two steps at most as long as for an answer.
   */
  async close(): Promise<void> {
    if (this.#state !== 'closing') await this.#unbind();
    await this.#ended;
  }

  async #unbind(): Promise<void> {
    await this.#finishWork('the bind is being closed');
    if (!this.#connection.isOpen) return;
    const unbind = prepare({ command: 'unbind', status: 0, fields: {}, tlvs: [] });
    await this.#connection.request(unbind, this.#options.answerWithinMs);
    if (!this.#connection.isOpen) return;
    this.#cleanEnd = { kind: 'closed' };
    this.#connection.end('the bind was closed');
  }

  async #afterUnbindOfPeer(pdu: Pdu): Promise<void> {
    await this.#finishWork('the SMSC ends the bind');
    this.#cleanEnd ??= { kind: 'unbound' };
    this.#connection.respond({
      command: 'unbind_resp',
      status: 0,
      sequence: pdu.sequence,
      fields: {},
      tlvs: [],
    });
    this.#connection.end('the SMSC ended the bind');
  }

  /** Writes nothing new, and waits for what is under way. */
  async #finishWork(text: string): Promise<void> {
    this.#state = 'closing';
    this.#dropWaiting(text);
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(this.#options.answerWithinMs, resolve);
    this.#onIdle = resolve;
    this.#checkIdle();
    await Promise.race([promise, this.#connection.ended]);
    cancel();
  }

  #checkIdle(): void {
    if (this.#owed === this.#overdue && this.#deliveries.count() === 0) this.#onIdle();
  }

  async #write(prepared: PreparedRequest): Promise<SubmitResult> {
    this.#owed += 1;
    let isOverdue = false;
    const answer = await this.#connection.request(prepared, this.#options.answerWithinMs, () => {
      this.#owed -= 1;
      if (isOverdue) this.#overdue -= 1;
      this.#writeWaiting();
      this.#checkIdle();
    });
    if (answer.kind === 'silent') {
      isOverdue = true;
      this.#noteOverdue();
    }
    return resultOf(answer, this.#options.answerWithinMs);
  }

  /** A place stays taken until its answer comes. A window of overdue messages would never move again. */
  #noteOverdue(): void {
    this.#overdue += 1;
    this.#checkIdle();
    if (this.#overdue >= this.#options.window) this.#connection.destroy('the SMSC answers no messages');
  }

  #writeWaiting(): void {
    while (this.free > 0 && this.#waiting.length > 0) {
      const { prepared, resolve } = this.#waiting.shift()!;
      void this.#write(prepared).then(resolve);
    }
  }

  #dropWaiting(text: string): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(notWritten(text));
  }

  #takeRequest(pdu: Pdu): void {
    const { command, sequence } = pdu;
    if (command === 'enquire_link')
      this.#connection.respond({ command: 'enquire_link_resp', status: 0, sequence, fields: {}, tlvs: [] });
    else if (command === 'unbind') void this.#afterUnbindOfPeer(pdu);
    else if (command === 'deliver_sm' || command === 'data_sm') this.#takeDelivery(pdu);
    // These two have no response, and nothing here asked for them.
    else if (command !== 'alert_notification' && command !== 'outbind')
      this.#connection.respond(nack(statuses.ESME_RINVCMDID, sequence));
  }

  #takeDelivery(pdu: DeliveryPdu): void {
    if (this.#options.mode === 'transmitter') this.#answerDelivery(pdu, statuses.ESME_RINVBNDSTS);
    else this.#deliveries.take(pdu);
  }

  #answerDelivery({ command, sequence }: DeliveryPdu, status: number): void {
    this.#connection.respond(answerToDelivery(command, status, sequence));
  }

  #enquireAfter(ms: number): void {
    this.#cancelEnquiry = this.#options.clock.after(ms, () => void this.#enquire());
  }

  /** Tries the link if the SMSC was silent for long enough. Everything that it sends is a sign of life. */
  async #enquire(): Promise<void> {
    const { clock, enquireEveryMs, answerWithinMs } = this.#options;
    const silentMs = clock.now() - this.#connection.lastReceivedAt;
    if (silentMs < enquireEveryMs) return this.#enquireAfter(enquireEveryMs - silentMs);
    const enquiry = prepare({ command: 'enquire_link', status: 0, fields: {}, tlvs: [] });
    const { kind } = await this.#connection.request(enquiry, answerWithinMs);
    if (kind === 'silent') this.#connection.destroy('the SMSC does not answer enquire_link');
    if (kind === 'answered') this.#enquireAfter(enquireEveryMs);
  }

  #afterEnd(text: string): BindEnd {
    this.#cancelEnquiry();
    this.#dropWaiting(text);
    return this.#cleanEnd ?? { kind: 'lost', text };
  }
}

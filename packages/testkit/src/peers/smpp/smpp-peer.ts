import { type AddressInfo, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { commandIds, createPduReader, encodePdu, type Pdu, type PduContent } from '@notify/smpp';

/** What an SMSC does. Change it at any time. */
export interface SmppBehaviour {
  /** `command_status` of the answer to a bind, such as 0x05 while another session holds it. */
  bindStatus: number;
  /** `command_status` of the answer to the message of this number, from 0. */
  statusOf: (index: number) => number;
  /** `held`: answers wait for `release`. `never`: messages get none. */
  answers: 'at-once' | 'held' | 'never';
  /** False: it answers nothing at all, as behind a half-open socket. */
  isAlive: boolean;
  /** Octets are sent one by one. */
  isSplit: boolean;
  /** Added to the sequence number of each answer to a message. */
  sequenceShift: number;
}

/** An SMSC on loopback, for one ESME at a time. */
export interface SmppPeer {
  readonly port: number;
  readonly behaviour: SmppBehaviour;
  /** Every PDU of the ESME, in the order of the wire. */
  readonly received: readonly Pdu[];
  readonly submitted: readonly Pdu<'submit_sm'>[];
  /** The most messages that were without an answer at once. */
  readonly mostOutstanding: number;
  /** Messages without an answer. */
  readonly outstanding: number;
  /** Answers the oldest of the messages that are held. */
  release(count?: number): void;
  /** Sends a request and resolves with its answer. */
  ask(content: PduContent): Promise<Pdu>;
  /** Sends octets as they are. */
  send(octets: Buffer): void;
  /** Resolves once `isSo` holds; asked again after each PDU that arrives. */
  when(isSo: () => boolean): Promise<void>;
  /** Closes every connection without a word. */
  drop(): void;
  close(): void;
}

/** Ids of messages are hexadecimal numbers of eight digits, as many SMSCs have them. */
export function smppMessageId(index: number): string {
  return (index + 1).toString(16).padStart(8, '0');
}

/** Starts an SMSC that behaves well until it is told otherwise. */
export async function startSmppPeer(): Promise<SmppPeer> {
  const behaviour: SmppBehaviour = {
    bindStatus: 0,
    statusOf: () => 0,
    answers: 'at-once',
    isAlive: true,
    isSplit: false,
    sequenceShift: 0,
  };
  const received: Pdu[] = [];
  const submitted: Pdu<'submit_sm'>[] = [];
  const held: (() => void)[] = [];
  const asked = new Map<number, (pdu: Pdu) => void>();
  const watchers = new Set<() => void>();
  const sockets = new Set<Socket>();
  let lastAsked = 0;
  let outstanding = 0;
  let mostOutstanding = 0;

  function send(octets: Buffer): void {
    for (const socket of sockets) {
      if (!behaviour.isSplit) socket.write(octets);
      else for (const octet of octets) socket.write(Buffer.from([octet]));
    }
  }

  const answerTo = (content: PduContent, sequence: number): void => send(encodePdu({ ...content, sequence }));

  function takeMessage(pdu: Pdu<'submit_sm'>): void {
    const index = submitted.push(pdu) - 1;
    outstanding += 1;
    mostOutstanding = Math.max(mostOutstanding, outstanding);
    const answer = (): void => {
      outstanding -= 1;
      const status = behaviour.statusOf(index);
      const fields = { messageId: smppMessageId(index) };
      answerTo(
        { command: 'submit_sm_resp', status, fields, tlvs: [] },
        pdu.sequence + behaviour.sequenceShift,
      );
    };
    if (behaviour.answers === 'at-once') answer();
    if (behaviour.answers === 'held') held.push(answer);
  }

  function take(pdu: Pdu): void {
    received.push(pdu);
    const { command, sequence } = pdu;
    if (!behaviour.isAlive) return;
    if (command === 'submit_sm') return takeMessage(pdu);
    if (command === 'enquire_link' || command === 'unbind')
      return answerTo({ command: `${command}_resp`, status: 0, fields: {}, tlvs: [] }, sequence);
    if (command === 'bind_transceiver' || command === 'bind_transmitter' || command === 'bind_receiver')
      return answerTo(
        { command: `${command}_resp`, status: behaviour.bindStatus, fields: { systemId: 'SMSC' }, tlvs: [] },
        sequence,
      );
    if (commandIds[command] >= 0x80000000) asked.get(sequence)?.(pdu);
  }

  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true));
    outstanding = 0;
    held.length = 0;
    const reader = createPduReader();
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) if (frame.kind === 'pdu') take(frame.pdu);
      for (const check of watchers) check();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    behaviour,
    received,
    submitted,
    get mostOutstanding() {
      return mostOutstanding;
    },
    get outstanding() {
      return outstanding;
    },
    release: (count = held.length) => held.splice(0, count).forEach((answer) => answer()),
    ask(content) {
      lastAsked += 1;
      const { promise, resolve } = Promise.withResolvers<Pdu>();
      asked.set(lastAsked, resolve);
      answerTo(content, lastAsked);
      return promise;
    },
    send,
    async when(isSo) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = (): void => {
        if (isSo()) resolve();
      };
      watchers.add(check);
      check();
      await promise;
      watchers.delete(check);
    },
    drop,
    close() {
      drop();
      server.close();
    },
  };
}

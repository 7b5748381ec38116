import type { ReceiptStatus } from '@notify/core';
import { integerOf, tags, textOf, valueOf } from '../pdu/tlvs.ts';
import { dataCodings, decodeText } from '../text/alphabets.ts';
import { contentOf, type Delivery } from '../text/incoming.ts';
import { readReceiptText, type ReceiptText } from './receipt-text.ts';

/** A delivery receipt. */
export interface SmppReceipt {
  /** The SMSC's id of the message, as the receipt writes it. Null if it names none. */
  readonly messageId: string | null;
  /** Null for a state that is not final, such as ENROUTE, and for one that is not known. */
  readonly status: ReceiptStatus | null;
  /** Our error code; null unless the status is `failed`. */
  readonly errorCode: 'undelivered' | 'recipient-unreachable' | 'provider-rejected' | null;
  /** The error of the network, else the state, as the SMSC writes it. */
  readonly providerCode: string | null;
  /** The recipient of the message, who is the source of its receipt, without `+`. */
  readonly recipient: string;
}

const deliveryReceipt = 0x04;
const intermediateNotification = 0x20;
const messageTypes = 0x3c;

/**
 * Whether a delivery is a receipt, by `esm_class` (SMPP 3.4, 5.2.12) or by the id that only receipts have. Never by its text, which a
 * person could write.
 */
export function isReceipt({ fields, tlvs }: Delivery): boolean {
  const type = fields.esmClass & messageTypes;
  if (type === deliveryReceipt || type === intermediateNotification) return true;
  return valueOf(tlvs, tags.receiptedMessageId) !== null;
}

/** Reads a receipt. What the parameters say wins over the text. */
export function readReceipt(delivery: Delivery): SmppReceipt {
  const { fields, tlvs } = delivery;
  const text = readReceiptText(textIn(delivery));
  const state = stateNames[integerOf(tlvs, tags.messageState) ?? -1] ?? text.state;
  const meaning = state === null ? null : meaningOfState(state);
  const id = textOf(tlvs, tags.receiptedMessageId);
  return {
    messageId: id === null || id === '' ? text.id : id,
    status: meaning?.status ?? null,
    errorCode: meaning?.errorCode ?? null,
    providerCode: networkError(valueOf(tlvs, tags.networkErrorCode)) ?? errorOf(text) ?? state,
    recipient: fields.sourceAddr,
  };
}

/** SMSCs write it in ASCII, also where their default alphabet has other characters for its codes, such as that of `_`. */
function textIn(delivery: Delivery): string {
  const isWide = delivery.fields.dataCoding === dataCodings.ucs2;
  return decodeText(contentOf(delivery).octets, isWide ? dataCodings.ucs2 : dataCodings.ascii, 'ascii') ?? '';
}

/** `message_state` (SMPP 3.4, 5.2.28), by the words of appendix B. */
const stateNames: readonly (string | undefined)[] = [
  undefined,
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
];

interface StateMeaning {
  readonly status: ReceiptStatus;
  readonly errorCode: SmppReceipt['errorCode'];
}

function failed(errorCode: SmppReceipt['errorCode']): StateMeaning {
  return { status: 'failed', errorCode };
}

/** Final states, by the beginning of their names: SMSCs also write them out, such as DELIVERED and UNDELIVERABLE. */
const finalStates: readonly (readonly [string, StateMeaning])[] = [
  ['DELIV', { status: 'delivered', errorCode: null }],
  ['UNDELIV', failed('undelivered')],
  ['EXPIR', failed('recipient-unreachable')],
  ['DELET', failed('undelivered')],
  ['REJECT', failed('provider-rejected')],
  ['FAIL', failed('undelivered')],
  ['UNKNOWN', failed('undelivered')],
];

function meaningOfState(state: string): StateMeaning | null {
  return finalStates.find(([beginning]) => state.startsWith(beginning))?.[1] ?? null;
}

/** The type of the network and its error (SMPP 3.4, 5.3.2.31), such as `gsm:34`. Null without an error. */
function networkError(value: Buffer | null): string | null {
  if (value?.length !== 3) return null;
  const code = value.readUInt16BE(1);
  return code === 0 ? null : `${networks[value[0]!] ?? value[0]!}:${code}`;
}

const networks: readonly (string | undefined)[] = [undefined, 'ansi-136', 'is-95', 'gsm'];

function errorOf({ error }: ReceiptText): string | null {
  return error === null || /^0+$/.test(error) ? null : error;
}

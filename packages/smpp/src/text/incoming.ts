import type { SmsAlphabet } from '@notify/core';
import type { PduContent } from '../pdu/pdu.ts';
import { integerOf, tags, valueOf } from '../pdu/tlvs.ts';
import { readAddress } from './addresses.ts';
import { decodeText } from './alphabets.ts';
import { udhIndicator } from './parts.ts';

/** A request with which an SMSC delivers a message or a receipt. */
export type Delivery = PduContent<'deliver_sm' | 'data_sm'>;

/** The place of a piece in its text. */
export interface Piece {
  /** Of 8 or 16 bits, the same for all pieces of a text. */
  readonly reference: number;
  /** From 1. */
  readonly index: number;
  readonly total: number;
}

/** A message that a person wrote, or one piece of it. */
export interface IncomingMessage {
  readonly from: string;
  readonly to: string;
  /** Null for octets that are no text. */
  readonly text: string | null;
  readonly piece: Piece | null;
}

/** Reads a message. `alphabet` is what the account says of `data_coding` 0. */
export function readMessage(delivery: Delivery, alphabet: SmsAlphabet): IncomingMessage {
  const { fields } = delivery;
  const { octets, piece } = contentOf(delivery);
  return {
    from: readAddress({ ton: fields.sourceAddrTon, npi: fields.sourceAddrNpi, address: fields.sourceAddr }),
    to: readAddress({ ton: fields.destAddrTon, npi: fields.destAddrNpi, address: fields.destinationAddr }),
    text: decodeText(octets, fields.dataCoding, alphabet),
    piece: piece ?? sarPiece(delivery),
  };
}

/** The octets of the text without its user data header, and the piece that the header names. */
export function contentOf(delivery: Delivery): { readonly octets: Buffer; readonly piece: Piece | null } {
  const octets = octetsOf(delivery);
  const headerLength = octets[0];
  const hasHeader = (delivery.fields.esmClass & udhIndicator) !== 0;
  // A header that is longer than the message is none.
  if (!hasHeader || headerLength === undefined || 1 + headerLength > octets.length)
    return { octets, piece: null };
  const header = octets.subarray(1, 1 + headerLength);
  return { octets: octets.subarray(1 + headerLength), piece: pieceIn(header) };
}

function octetsOf({ fields, tlvs }: Delivery): Buffer {
  const short = 'shortMessage' in fields ? fields.shortMessage : Buffer.alloc(0);
  return short.length > 0 ? short : (valueOf(tlvs, tags.messagePayload) ?? short);
}

/** Reads the elements of a header (3GPP TS 23.040, 9.2.3.24). The last one about pieces counts. */
function pieceIn(header: Buffer): Piece | null {
  let piece: Piece | null = null;
  for (let at = 0; at + 2 <= header.length;) {
    const end = at + 2 + header[at + 1]!;
    if (end > header.length) break;
    piece = readElement(header[at]!, header.subarray(at + 2, end)) ?? piece;
    at = end;
  }
  return piece;
}

/** Element 0 has a reference of 8 bits, 8 one of 16. */
function readElement(id: number, value: Buffer): Piece | null {
  const referenceBytes = id === 0x00 ? 1 : 2;
  if ((id !== 0x00 && id !== 0x08) || value.length !== referenceBytes + 2) return null;
  return validPiece(value.readUIntBE(0, referenceBytes), value.at(-1)!, value.at(-2)!);
}

function sarPiece({ tlvs }: Delivery): Piece | null {
  const reference = integerOf(tlvs, tags.sarMsgRefNum);
  const total = integerOf(tlvs, tags.sarTotalSegments);
  const index = integerOf(tlvs, tags.sarSegmentSeqnum);
  return reference === null || total === null || index === null ? null : validPiece(reference, index, total);
}

/** A piece beyond the total is none. The only piece of a text is the text. */
function validPiece(reference: number, index: number, total: number): Piece | null {
  return total > 1 && index >= 1 && index <= total ? { reference, index, total } : null;
}

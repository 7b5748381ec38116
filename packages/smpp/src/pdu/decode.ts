import { statuses } from '../statuses/codes.ts';
import { type Command, commandOf, type Field, isResponse, layouts } from './layouts.ts';
import { type Header, headerBytes, type Pdu, type Tlv } from './pdu.ts';

/** A PDU, or why it cannot be read and the `command_status` that says so to the peer. */
export type Decoded =
  | { readonly kind: 'pdu'; readonly pdu: Pdu }
  | {
      readonly kind: 'fault';
      readonly header: Header;
      /** Null if the command is not known. */
      readonly command: Command | null;
      readonly status: number;
      readonly text: string;
    };

/**
 * Reads one whole PDU, whose length has been checked. Nothing of the result refers to `bytes`.
 *
 * A request is read strictly. A response cannot be refused, so what it lacks is empty: many peers leave out the body when they
 * should not. A text may be longer than the specification allows, because ids and names are.
 */
export function decodePdu(bytes: Buffer): Decoded {
  const header = readHeader(bytes);
  const command = commandOf(header.commandId);
  const fault = (status: number, text: string): Decoded => ({
    kind: 'fault',
    header,
    command: command ?? null,
    status,
    text,
  });
  if (command === undefined)
    return fault(statuses.ESME_RINVCMDID, `the command 0x${header.commandId.toString(16)} is not known`);
  const reader: Reader = { bytes, at: headerBytes, isLenient: isResponse(header.commandId) };
  const layout: readonly Field[] = layouts[command];
  const fields: Record<string, string | number | Buffer> = {};
  for (const field of layout) {
    const value = readField(reader, field);
    if (value === null) return fault(statuses.ESME_RINVCMDLEN, `${command} ends before ${field.name} does`);
    fields[field.name] = value;
  }
  const tlvs = readTlvs(reader);
  if (tlvs === null)
    return fault(
      statuses.ESME_RINVOPTPARSTREAM,
      `an optional parameter of ${command} is longer than the PDU`,
    );
  const { status, sequence } = header;
  return { kind: 'pdu', pdu: { command, status, sequence, fields, tlvs } as unknown as Pdu };
}

/** The header of at least 16 octets. */
export function readHeader(bytes: Buffer): Header {
  return {
    commandId: bytes.readUInt32BE(4),
    status: bytes.readUInt32BE(8),
    sequence: bytes.readUInt32BE(12),
  };
}

interface Reader {
  readonly bytes: Buffer;
  at: number;
  readonly isLenient: boolean;
}

function readField(reader: Reader, field: Field): string | number | Buffer | null {
  switch (field.kind) {
    case 'integer':
      return readInteger(reader);
    case 'text':
      return readText(reader);
    case 'octets':
      return readOctets(reader);
  }
}

function readInteger(reader: Reader): number | null {
  const value = reader.bytes[reader.at];
  if (value === undefined) return reader.isLenient ? 0 : null;
  reader.at += 1;
  return value;
}

function readText(reader: Reader): string | null {
  const { bytes, at, isLenient } = reader;
  const end = bytes.indexOf(0, at);
  if (end === -1 && !isLenient) return null;
  const until = end === -1 ? bytes.length : end;
  reader.at = Math.min(until + 1, bytes.length);
  return bytes.toString('latin1', at, until);
}

function readOctets(reader: Reader): Buffer | null {
  const length = readInteger(reader);
  if (length === null) return null;
  const { bytes, at, isLenient } = reader;
  if (at + length > bytes.length && !isLenient) return null;
  reader.at = Math.min(at + length, bytes.length);
  return Buffer.from(bytes.subarray(at, reader.at));
}

function readTlvs(reader: Reader): Tlv[] | null {
  const { bytes, isLenient } = reader;
  const tlvs: Tlv[] = [];
  while (reader.at < bytes.length) {
    const begin = reader.at + 4;
    const end = begin <= bytes.length ? begin + bytes.readUInt16BE(reader.at + 2) : Infinity;
    if (end > bytes.length) return isLenient ? tlvs : null;
    tlvs.push({ tag: bytes.readUInt16BE(reader.at), value: Buffer.from(bytes.subarray(begin, end)) });
    reader.at = end;
  }
  return tlvs;
}

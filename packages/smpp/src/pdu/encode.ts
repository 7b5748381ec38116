import { type Command, commandIds, type Field, layouts } from './layouts.ts';
import { headerBytes, type Pdu, type Tlv } from './pdu.ts';

/**
 * The octets of a PDU. Throws a `RangeError` for a value that its field cannot hold, so check what comes from people before. The
 * body of an unsuccessful response is left out, as the specification has it (4.4.2).
 */
export function encodePdu(pdu: Pdu): Buffer {
  const body = isBodiless(pdu) ? [] : [...fieldsOf(pdu), ...pdu.tlvs.map(encodeTlv)];
  const header = Buffer.alloc(headerBytes);
  const length = body.reduce((sum, part) => sum + part.length, headerBytes);
  header.writeUInt32BE(length, 0);
  header.writeUInt32BE(commandIds[pdu.command], 4);
  header.writeUInt32BE(pdu.status, 8);
  header.writeUInt32BE(pdu.sequence, 12);
  return Buffer.concat([header, ...body], length);
}

const bodilessIfFailed: ReadonlySet<Command> = new Set([
  'bind_receiver_resp',
  'bind_transmitter_resp',
  'bind_transceiver_resp',
  'submit_sm_resp',
]);

function isBodiless({ command, status }: Pdu): boolean {
  return status !== 0 && bodilessIfFailed.has(command);
}

function fieldsOf(pdu: Pdu): Buffer[] {
  const values = pdu.fields as Readonly<Record<string, unknown>>;
  const layout: readonly Field[] = layouts[pdu.command];
  return layout.map((field) => encodeField(field, values[field.name]));
}

function encodeField(field: Field, value: unknown): Buffer {
  switch (field.kind) {
    case 'integer':
      return encodeInteger(field.name, value);
    case 'text':
      return encodeText(field.name, value, field.most);
    case 'octets':
      return encodeOctets(field.name, value);
  }
}

function encodeInteger(name: string, value: unknown): Buffer {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 0xff)
    throw new RangeError(`${name} is not an octet`);
  return Buffer.from([value as number]);
}

function encodeText(name: string, value: unknown, most: number): Buffer {
  const text = String(value);
  if (text.length >= most) throw new RangeError(`${name} has more than ${most - 1} octets`);
  // eslint-disable-next-line no-control-regex -- A NUL would end the field early.
  if (!/^[\x01-\xff]*$/.test(text)) throw new RangeError(`${name} has a character that is no octet`);
  return Buffer.from(`${text}\0`, 'latin1');
}

function encodeOctets(name: string, value: unknown): Buffer {
  if (!Buffer.isBuffer(value) || value.length > 0xff)
    throw new RangeError(`${name} has more than 255 octets`);
  return Buffer.concat([Buffer.from([value.length]), value]);
}

function encodeTlv({ tag, value }: Tlv): Buffer {
  if (value.length > 0xffff) throw new RangeError(`the parameter ${tag} has more than 65,535 octets`);
  const buffer = Buffer.alloc(4 + value.length);
  buffer.writeUInt16BE(tag, 0);
  buffer.writeUInt16BE(value.length, 2);
  value.copy(buffer, 4);
  return buffer;
}

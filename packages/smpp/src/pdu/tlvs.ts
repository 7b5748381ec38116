import type { Tlv } from './pdu.ts';

/** Tags of the optional parameters that are read or written here (SMPP 3.4, 5.3.2). */
export const tags = {
  additionalStatusInfoText: 0x001d,
  receiptedMessageId: 0x001e,
  sarMsgRefNum: 0x020c,
  sarTotalSegments: 0x020e,
  sarSegmentSeqnum: 0x020f,
  scInterfaceVersion: 0x0210,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

/** The value of the first parameter with this tag; null without one. */
export function valueOf(tlvs: readonly Tlv[], tag: number): Buffer | null {
  return tlvs.find((each) => each.tag === tag)?.value ?? null;
}

/** The text of a parameter up to a closing NUL, which some peers leave out. Null without the parameter. */
export function textOf(tlvs: readonly Tlv[], tag: number): string | null {
  const value = valueOf(tlvs, tag);
  if (value === null) return null;
  const end = value.indexOf(0);
  return value.toString('latin1', 0, end === -1 ? value.length : end);
}

/** The unsigned integer of a parameter of one, two or four octets. Null without one, or with another length. */
export function integerOf(tlvs: readonly Tlv[], tag: number): number | null {
  const value = valueOf(tlvs, tag);
  if (value === null || ![1, 2, 4].includes(value.length)) return null;
  return value.readUIntBE(0, value.length);
}

/** A parameter with an unsigned integer of so many octets. */
export function integerTlv(tag: number, value: number, bytes: 1 | 2 | 4): Tlv {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return { tag, value: buffer };
}

import { segmentTexts, type SmsAlphabet, type SmsEncoding } from '@notify/core';
import type { Tlv } from '../pdu/pdu.ts';
import { integerTlv, tags } from '../pdu/tlvs.ts';
import { dataCodings, encodeDefault, encodeUcs2 } from './alphabets.ts';

/**
 * How the parts of a long text name each other: by a user data header, by the parameters `sar_*`, or not at all, because the whole
 * text is one `message_payload`, which the SMSC cuts.
 */
export type LongTexts = 'udh' | 'sar' | 'payload';

/** How an account writes texts. */
export interface TextWriting {
  /** What the SMSC takes with `data_coding` 0. */
  readonly alphabet: SmsAlphabet;
  readonly longTexts: LongTexts;
}

/** What one `submit_sm` says of a text. */
export interface TextPart {
  readonly dataCoding: number;
  readonly esmClass: number;
  readonly shortMessage: Buffer;
  readonly tlvs: readonly Tlv[];
}

/** The bit of `esm_class` that says that the text begins with a user data header (SMPP 3.4, 5.2.12). */
export const udhIndicator = 0x40;

/** The most parts that a header can count. */
const maxParts = 255;

/**
 * The parts of a text, one for each segment that `smsSegments` counts, unless it is one `message_payload`. Parts of one text have one
 * `reference`, of which a user data header takes the last 8 bits, and `sar_msg_ref_num` 16. Throws a `RangeError` for a text of more
 * than 255 segments.
 */
export function textParts(text: string, writing: TextWriting, reference: number): readonly TextPart[] {
  const { encoding, texts } = segmentTexts(text, writing.alphabet);
  if (texts.length > maxParts) throw new RangeError(`a text of ${texts.length} segments`);
  const plain = (octets: Buffer) => ({ ...plainPart(encoding), shortMessage: octets });
  const encode = (part: string): Buffer =>
    encoding === 'UCS-2' ? encodeUcs2(part) : encodeDefault(part, writing.alphabet);
  if (texts.length === 1) return [plain(encode(text))];
  switch (writing.longTexts) {
    case 'payload':
      return [{ ...plainPart(encoding), tlvs: [{ tag: tags.messagePayload, value: encode(text) }] }];
    case 'sar':
      return texts.map((part, index) => ({
        ...plain(encode(part)),
        tlvs: sarTlvs(reference, texts.length, index + 1),
      }));
    case 'udh':
      return texts.map((part, index) => ({
        ...plain(Buffer.concat([userDataHeader(reference, texts.length, index + 1), encode(part)])),
        esmClass: udhIndicator,
      }));
  }
}

function plainPart(encoding: SmsEncoding): TextPart {
  const dataCoding = encoding === 'UCS-2' ? dataCodings.ucs2 : dataCodings.default;
  return { dataCoding, esmClass: 0, shortMessage: Buffer.alloc(0), tlvs: [] };
}

function sarTlvs(reference: number, total: number, index: number): readonly Tlv[] {
  return [
    integerTlv(tags.sarMsgRefNum, reference & 0xffff, 2),
    integerTlv(tags.sarTotalSegments, total, 1),
    integerTlv(tags.sarSegmentSeqnum, index, 1),
  ];
}

/** A header with one element: concatenated short messages, 8-bit reference (3GPP TS 23.040, 9.2.3.24.1). */
function userDataHeader(reference: number, total: number, index: number): Buffer {
  return Buffer.from([0x05, 0x00, 0x03, reference & 0xff, total, index]);
}

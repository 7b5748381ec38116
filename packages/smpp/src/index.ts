export { type Command, commandIds, layouts } from './pdu/layouts.ts';
export { type Decoded, decodePdu } from './pdu/decode.ts';
export { encodePdu } from './pdu/encode.ts';
export type { Fields, Header, Pdu, PduContent, Tlv } from './pdu/pdu.ts';
export { createPduReader, type Frame, maxPduBytes, type PduReader } from './pdu/pdu-reader.ts';
export { integerOf, integerTlv, tags, textOf, valueOf } from './pdu/tlvs.ts';
export { statuses, type StatusName, statusName } from './statuses/codes.ts';

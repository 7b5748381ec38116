export { type Command, commandIds, layouts } from './pdu/layouts.ts';
export { type Decoded, decodePdu } from './pdu/decode.ts';
export { encodePdu } from './pdu/encode.ts';
export type { Fields, Header, Pdu, PduContent, Tlv } from './pdu/pdu.ts';
export { createPduReader, type Frame, maxPduBytes, type PduReader } from './pdu/pdu-reader.ts';
export { integerOf, integerTlv, tags, textOf, valueOf } from './pdu/tlvs.ts';
export { statuses, type StatusName, statusName } from './statuses/codes.ts';
export {
  bindMeaningOf,
  meaningOf,
  type StatusMeaning,
  statusTable,
  statusText,
} from './statuses/meanings.ts';
export { outcomeOf, type SubmitResult } from './statuses/outcome.ts';
export {
  type AddressForm,
  addressForm,
  type AddressKind,
  readAddress,
  type SmppAddress,
  smppAddress,
} from './text/addresses.ts';
export { decodeText, encodeDefault, encodeUcs2 } from './text/alphabets.ts';
export { type Delivery, type IncomingMessage, type Piece, readMessage } from './text/incoming.ts';
export { type LongTexts, type TextPart, textParts, type TextWriting } from './text/parts.ts';
export { type Envelope, submitPart } from './text/submit.ts';
export { validityPeriod } from './text/validity.ts';
export {
  findReceiptIds,
  idKey,
  keyOfReceipt,
  keysOfReceipt,
  receiptIdRules,
  type ReceiptIds,
  type RulesThatMatch,
} from './receipts/receipt-ids.ts';
export { isReceipt, readReceipt, type SmppReceipt } from './receipts/receipt.ts';
export { Bind, type BindEnd, type BindEvent, type BindMode, type BindOptions } from './session/bind.ts';
export { type Clock, systemClock } from './session/clock.ts';
export {
  keepBound,
  type KeepOptions,
  type KeptBind,
  type KeptEvent,
  reconnectWaitMs,
} from './session/keep-bound.ts';
export { type BindResult, openBind } from './session/open-bind.ts';

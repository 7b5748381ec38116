import type { PduContent } from '../pdu/pdu.ts';
import type { SmppAddress } from './addresses.ts';
import type { TextPart } from './parts.ts';
import { validityPeriod } from './validity.ts';

/** What is the same for all parts of a text. */
export interface Envelope {
  readonly from: SmppAddress;
  readonly to: SmppAddress;
  readonly lifetimeMs: number;
  /** Whether the SMSC shall report success and failure (SMPP 3.4, 5.2.17). */
  readonly wantsReceipt: boolean;
  readonly serviceType?: string;
}

/** A `submit_sm` for one part of a text. */
export function submitPart(envelope: Envelope, part: TextPart): PduContent<'submit_sm'> {
  const { from, to, lifetimeMs, wantsReceipt, serviceType = '' } = envelope;
  return {
    command: 'submit_sm',
    status: 0,
    fields: {
      serviceType,
      sourceAddrTon: from.ton,
      sourceAddrNpi: from.npi,
      sourceAddr: from.address,
      destAddrTon: to.ton,
      destAddrNpi: to.npi,
      destinationAddr: to.address,
      esmClass: part.esmClass,
      protocolId: 0,
      priorityFlag: 0,
      scheduleDeliveryTime: '',
      validityPeriod: validityPeriod(lifetimeMs),
      registeredDelivery: wantsReceipt ? 1 : 0,
      replaceIfPresentFlag: 0,
      dataCoding: part.dataCoding,
      smDefaultMsgId: 0,
      shortMessage: part.shortMessage,
    },
    tlvs: part.tlvs,
  };
}

import type { Tlv } from '../pdu/pdu.ts';
import type { Delivery } from '../text/incoming.ts';
import { isReceipt, readReceipt } from './receipt.ts';

function delivery(
  text: string,
  changes: { esmClass?: number; dataCoding?: number; tlvs?: Tlv[] } = {},
): Delivery {
  const { esmClass = 4, dataCoding = 0, tlvs = [] } = changes;
  return {
    command: 'deliver_sm',
    status: 0,
    tlvs,
    fields: {
      serviceType: '',
      sourceAddrTon: 1,
      sourceAddrNpi: 1,
      sourceAddr: '491701234567',
      destAddrTon: 5,
      destAddrNpi: 0,
      destinationAddr: 'Notify',
      esmClass,
      protocolId: 0,
      priorityFlag: 0,
      scheduleDeliveryTime: '',
      validityPeriod: '',
      registeredDelivery: 0,
      replaceIfPresentFlag: 0,
      dataCoding,
      smDefaultMsgId: 0,
      shortMessage: Buffer.from(text, 'latin1'),
    },
  };
}

const tlv = (tag: number, ...octets: number[]): Tlv => ({ tag, value: Buffer.from(octets) });
const idTlv = (id: string): Tlv => ({ tag: 0x001e, value: Buffer.from(`${id}\0`) });

test.each([
  [
    'the form of the specification',
    'id:0123456789 sub:001 dlvrd:001 submit date:2611271200 done date:2611271201 stat:DELIVRD err:000 text:Hello',
    { messageId: '0123456789', status: 'delivered', errorCode: null, providerCode: 'DELIVRD' },
  ],
  [
    'capitals, seconds and an error in letters',
    'ID:A1B2 SUB:001 DLVRD:000 SUBMIT DATE:261127120000 DONE DATE:261127120100 STAT:UNDELIV ERR:0x1F TEXT:',
    { messageId: 'A1B2', status: 'failed', errorCode: 'undelivered', providerCode: '0x1F' },
  ],
  [
    'a UUID and a state that is written out',
    'id:16fd2706-8baf-433b-82eb-8c7fada847da stat:DELIVERED err:0',
    { messageId: '16fd2706-8baf-433b-82eb-8c7fada847da', status: 'delivered' },
  ],
  [
    'spaces after colons',
    'id: 77 sub: 001 dlvrd: 000 submit date: 2611271200 done date: 2611271201 stat: EXPIRED err: 027 text: x',
    { messageId: '77', status: 'failed', errorCode: 'recipient-unreachable', providerCode: '027' },
  ],
  [
    'commas, another order and another name',
    'stat:REJECTD,err:069,id:ab_c/d=,text:stat:DELIVRD',
    { messageId: 'ab_c/d=', status: 'failed', errorCode: 'provider-rejected', providerCode: '069' },
  ],
  ['lines', 'id:5\r\nstatus:DELETED\r\nerror:1', { messageId: '5', status: 'failed', providerCode: '1' }],
  ['an id with a colon', 'id:smsc1:77 stat:DELIVRD', { messageId: 'smsc1:77', status: 'delivered' }],
  ['empty fields', 'id: sub: stat:UNKNOWN err: text:', { messageId: null, status: 'failed' }],
  ['an empty date', 'id:9 submit date: done date: stat:DELIVRD', { messageId: '9', status: 'delivered' }],
  [
    'a text of the message that looks like fields',
    'id:9 stat:UNDELIV err:011 text:id:1 stat:DELIVRD',
    { messageId: '9', status: 'failed', providerCode: '011' },
  ],
  ['a state that is not final', 'id:9 stat:ENROUTE err:000', { status: null, errorCode: null }],
  ['acceptance, which may be followed by anything', 'id:9 stat:ACCEPTD err:000', { status: null }],
  ['a state that nobody knows', 'id:9 stat:WHATEVR', { status: null, providerCode: 'WHATEVR' }],
  ['nothing', '', { messageId: null, status: null, providerCode: null }],
])('a receipt with %s', (_, text, receipt) => {
  expect(readReceipt(delivery(text))).toMatchObject(receipt);
});

test('parameters win over the text', () => {
  const tlvs = [idTlv('f00'), tlv(0x0427, 2), tlv(0x0423, 3, 0, 34)];
  const read = readReceipt(delivery('id:1 stat:UNDELIV err:011', { tlvs }));
  expect(read).toEqual({
    messageId: 'f00',
    status: 'delivered',
    errorCode: null,
    providerCode: 'gsm:34',
    recipient: '491701234567',
  });
});

test.each([
  [1, null],
  [2, 'delivered'],
  [3, 'failed'],
  [4, 'failed'],
  [5, 'failed'],
  [6, null],
  [7, 'failed'],
  [8, 'failed'],
  [99, null],
])('message_state %d', (state, status) => {
  const tlvs = [idTlv('f00'), tlv(0x0427, state)];
  expect(readReceipt(delivery('', { tlvs }))).toMatchObject({ messageId: 'f00', status });
});

test('parameters of a wrong length are passed over', () => {
  const tlvs = [tlv(0x001e), tlv(0x0427, 0, 0, 2), tlv(0x0423, 3)];
  const read = readReceipt(delivery('id:1 stat:UNDELIV err:011', { tlvs }));
  expect(read).toMatchObject({ messageId: '1', status: 'failed', providerCode: '011' });
});

test('a receipt in UCS-2, and one whose text is a message_payload', () => {
  const text = 'id:1 stat:DELIVRD';
  const wide = Buffer.from(text, 'utf16le').swap16();
  const expected = { messageId: '1', status: 'delivered' };
  const asWide = delivery(wide.toString('latin1'), { dataCoding: 8 });
  expect(readReceipt(asWide)).toMatchObject(expected);
  const payload = delivery('', { tlvs: [{ tag: 0x0424, value: Buffer.from(text) }] });
  expect(readReceipt(payload)).toMatchObject(expected);
});

test('nobody writes a receipt by SMS', () => {
  expect(isReceipt(delivery('id:1 stat:DELIVRD', { esmClass: 0 }))).toBe(false);
  expect(isReceipt(delivery('id:1 stat:DELIVRD', { esmClass: 0x40 }))).toBe(false);
  expect(isReceipt(delivery('', { esmClass: 0x04 }))).toBe(true);
  expect(isReceipt(delivery('', { esmClass: 0x20 }))).toBe(true);
  expect(isReceipt(delivery('', { esmClass: 0, tlvs: [idTlv('1')] }))).toBe(true);
  // Acknowledgements of the recipient are messages.
  expect(isReceipt(delivery('', { esmClass: 0x08 }))).toBe(false);
});

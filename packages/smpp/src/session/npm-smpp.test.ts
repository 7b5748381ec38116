import { once } from 'node:events';
import { connect } from 'node:net';
import smpp, { type NpmPdu, type NpmServer, type NpmSession } from 'smpp';
import {
  type Delivery,
  isReceipt,
  keysOfReceipt,
  openBind,
  readMessage,
  readReceipt,
  smppAddress,
  submitPart,
  systemClock,
  textParts,
} from '../index.ts';

/** An SMSC that others wrote: the package `smpp`. */
let server: NpmServer;
let session: NpmSession;
const submitted: NpmPdu[] = [];
const bound: NpmPdu[] = [];
const deliveries: Delivery[] = [];

beforeEach(async () => {
  submitted.length = bound.length = deliveries.length = 0;
  server = smpp.createServer({}, (opened) => {
    session = opened;
    opened.on('error', () => undefined);
    opened.on('bind_transceiver', (pdu) => {
      bound.push(pdu);
      opened.send(pdu.response());
    });
    opened.on('unbind', (pdu) => opened.send(pdu.response()));
    opened.on('submit_sm', (pdu) => {
      submitted.push(pdu);
      opened.send(pdu.response({ message_id: submitted.length.toString(16).padStart(8, '0') }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => server.close());

async function bind() {
  const result = await openBind({
    mode: 'transceiver',
    systemId: 'notify',
    password: 'secret',
    systemType: 'test',
    window: 10,
    answerWithinMs: 60_000,
    enquireEveryMs: 60_000,
    deliveriesAtOnce: 4,
    deliveriesWaiting: 100,
    async connect() {
      const socket = connect(server.address().port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
    onDelivery: async (delivery) => void deliveries.push(delivery),
    clock: systemClock,
  });
  if (result.kind !== 'bound') throw new Error(JSON.stringify(result));
  return result.bind;
}

const envelope = {
  from: smppAddress('Notify'),
  to: smppAddress('+491701234567'),
  lifetimeMs: 3_600_000,
  wantsReceipt: true,
};
const writing = { alphabet: 'gsm-03.38', longTexts: 'udh' } as const;
const partsOf = (text: string) => textParts(text, writing, 7).map((part) => submitPart(envelope, part));

/** Delivers as the SMSC, and resolves with our answer. */
const deliver = (fields: object) =>
  new Promise<NpmPdu>((resolve) => void session.deliver_sm(fields, resolve));

test('it reads our bind and our texts', async () => {
  const opened = await bind();
  expect(bound).toMatchObject([
    { system_id: 'notify', password: 'secret', system_type: 'test', interface_version: 0x34 },
  ]);
  const texts = ['Hello @£€[', 'жук 😀', `${'a'.repeat(152)}€${'b'.repeat(10)}`];
  const results = await Promise.all(texts.flatMap(partsOf).map((part) => opened.submit(part)));
  expect(results).toEqual(
    ['00000001', '00000002', '00000003', '00000004'].map((messageId) => ({
      kind: 'answered',
      status: 0,
      messageId,
    })),
  );
  expect(submitted.map((pdu) => pdu.short_message.message)).toEqual([
    texts[0],
    texts[1],
    'a'.repeat(152),
    `€${'b'.repeat(10)}`,
  ]);
  expect(submitted[0]).toMatchObject({
    source_addr: 'Notify',
    source_addr_ton: 5,
    destination_addr: '491701234567',
    dest_addr_ton: 1,
    registered_delivery: 1,
  });
  await opened.close();
  expect(await opened.ended).toEqual({ kind: 'closed' });
});

test('10,000 messages get their answers, in order', async () => {
  const opened = await bind();
  const [part] = partsOf('Hello');
  const results = await Promise.all(Array.from({ length: 10_000 }, () => opened.submit(part!)));
  expect(results.map((result) => 'messageId' in result && Number.parseInt(result.messageId!, 16))).toEqual(
    results.map((_, index) => index + 1),
  );
  await opened.close();
});

test('we read its receipts and messages, and it reads our answers', async () => {
  const opened = await bind();
  const receipt = await deliver({
    esm_class: 4,
    source_addr: '491701234567',
    destination_addr: 'Notify',
    short_message:
      'id:0000000010 sub:001 dlvrd:001 submit date:2611271200 done date:2611271201 stat:DELIVRD err:000 text:',
  });
  expect(receipt).toMatchObject({ command: 'deliver_sm_resp', command_status: 0 });
  await deliver({
    esm_class: 4,
    source_addr: '491701234567',
    receipted_message_id: 'A1',
    message_state: 5,
    short_message: '',
  });
  await deliver({
    source_addr: '491701234567',
    source_addr_ton: 1,
    destination_addr: '77222',
    data_coding: 8,
    short_message: { udh: Buffer.from('050003070201', 'hex'), message: 'Ответ' },
  });
  expect(deliveries.map(isReceipt)).toEqual([true, true, false]);
  expect(readReceipt(deliveries[0]!)).toMatchObject({ messageId: '0000000010', status: 'delivered' });
  expect(keysOfReceipt('0000000010')).toContainEqual({ key: 'a', rules: ['hex-to-dec'] });
  expect(readReceipt(deliveries[1]!)).toMatchObject({ messageId: 'A1', status: 'failed' });
  expect(readMessage(deliveries[2]!, 'gsm-03.38')).toEqual({
    from: '+491701234567',
    to: '77222',
    text: 'Ответ',
    piece: { reference: 7, index: 1, total: 2 },
  });
  await opened.close();
});

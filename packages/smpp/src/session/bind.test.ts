import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type SmppPeer, smppMessageId, startSmppPeer } from '@notify/testkit';
import {
  type Bind,
  type BindEvent,
  type BindOptions,
  encodePdu,
  openBind,
  type Pdu,
  type PduContent,
  smppAddress,
  submitPart,
  textParts,
} from '../index.ts';
import { handClock } from '../../test/hand-clock.ts';

let peer: SmppPeer;
const clock = handClock();
const events: BindEvent[] = [];
const delivered: string[] = [];

beforeEach(async () => {
  peer = await startSmppPeer();
  events.length = 0;
  delivered.length = 0;
});
afterEach(() => peer.close());

async function dial(): Promise<Socket> {
  const socket = connect(peer.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.setNoDelay(true);
}

const options = (): BindOptions => ({
  mode: 'transceiver',
  systemId: 'notify',
  password: 'secret',
  systemType: '',
  window: 10,
  answerWithinMs: 10_000,
  enquireEveryMs: 30_000,
  deliveriesAtOnce: 4,
  deliveriesWaiting: 8,
  connect: dial,
  onDelivery: async ({ fields }) => void delivered.push(fields.sourceAddr),
  onEvent: (event) => events.push(event),
  clock,
});

async function bound(changes: Partial<BindOptions> = {}): Promise<Bind> {
  const result = await openBind({ ...options(), ...changes });
  if (result.kind !== 'bound') throw new Error(JSON.stringify(result));
  return result.bind;
}

function message(text: string): PduContent<'submit_sm'> {
  const [part] = textParts(text, { alphabet: 'gsm-03.38', longTexts: 'udh' }, 1);
  const envelope = { from: smppAddress('Notify'), to: smppAddress('+491701234567') };
  return submitPart({ ...envelope, lifetimeMs: 60_000, wantsReceipt: true }, part!);
}

function delivery(from: string): PduContent<'deliver_sm'> {
  const { fields } = message('Hi');
  return { command: 'deliver_sm', status: 0, tlvs: [], fields: { ...fields, sourceAddr: from } };
}

/** Answers of the ESME to deliveries. */
const answers = (): Pdu[] => peer.received.filter(({ command }) => command === 'deliver_sm_resp');

test('10,000 messages: the window is kept full and never exceeded, and each gets its answer', async () => {
  peer.behaviour.answers = 'held';
  const bind = await bound();
  const results = Array.from({ length: 10_000 }, (_, index) => bind.submit(message(String(index))));
  for (let written = 10; written <= 10_000; written += 1) {
    // Ten are written before the oldest gets its answer.
    await peer.when(() => peer.submitted.length === written);
    expect(peer.outstanding).toBe(10);
    peer.release(1);
  }
  peer.release();
  expect(await Promise.all(results)).toEqual(
    results.map((_, index) => ({ kind: 'answered', status: 0, messageId: smppMessageId(index) })),
  );
  expect(peer.mostOutstanding).toBe(10);
  expect(peer.submitted.map(({ fields }) => fields.shortMessage.toString())).toEqual(
    results.map((_, index) => String(index)),
  );
  await bind.close();
});

test('a lost socket makes exactly the messages without an answer unknown', async () => {
  peer.behaviour.answers = 'held';
  const bind = await bound();
  const results = Array.from({ length: 30 }, (_, index) => bind.submit(message(String(index))));
  await peer.when(() => peer.submitted.length === 10);
  peer.release(5);
  await peer.when(() => peer.submitted.length === 15);
  peer.drop();
  const kinds = (await Promise.all(results)).map(({ kind }) => kind);
  expect(kinds).toEqual([
    ...Array(5).fill('answered'),
    ...Array(10).fill('unknown'),
    ...Array(15).fill('not-written'),
  ]);
  expect(await bind.ended).toMatchObject({ kind: 'lost' });
  expect(await bind.submit(message('late'))).toMatchObject({ kind: 'not-written' });
  expect(peer.submitted).toHaveLength(15);
});

test('a status is an answer', async () => {
  peer.behaviour.statusOf = (index) => [0x58, 0x0b, 0][index]!;
  const bind = await bound();
  const results = await Promise.all(['a', 'b', 'c'].map((text) => bind.submit(message(text))));
  expect(results).toEqual([
    { kind: 'answered', status: 0x58, messageId: null },
    { kind: 'answered', status: 0x0b, messageId: null },
    { kind: 'answered', status: 0, messageId: smppMessageId(2) },
  ]);
});

test.each([
  ['another session has', 0x05],
  ['whose password is wrong', 0x0e],
])('a bind that %s is refused with its status', async (_, status) => {
  peer.behaviour.bindStatus = status;
  expect(await openBind(options())).toEqual({ kind: 'refused', status });
});

test('an SMSC that cannot be reached', async () => {
  const result = await openBind({ ...options(), connect: () => Promise.reject(new Error('no route')) });
  expect(result).toEqual({ kind: 'failed', text: 'no route' });
});

test('an SMSC that does not answer the bind', async () => {
  peer.behaviour.isAlive = false;
  const opening = openBind(options());
  await peer.when(() => peer.received.length === 1);
  await clock.move(10_000);
  expect(await opening).toMatchObject({ kind: 'failed' });
});

test('a message without an answer in time is unknown, keeps its place, and its late answer is told', async () => {
  peer.behaviour.answers = 'held';
  const bind = await bound({ window: 2 });
  const results = ['a', 'b', 'c'].map((text) => bind.submit(message(text)));
  await peer.when(() => peer.submitted.length === 2);
  await clock.move(5_000);
  peer.release(1);
  await peer.when(() => peer.submitted.length === 3);
  await clock.move(5_000);
  expect(await results[1]).toMatchObject({ kind: 'unknown' });
  expect(bind.outstanding).toBe(2);
  peer.release();
  expect((await Promise.all(results)).map(({ kind }) => kind)).toEqual(['answered', 'unknown', 'answered']);
  expect(events).toMatchObject([{ kind: 'late', pdu: { fields: { messageId: smppMessageId(1) } } }]);
  expect(bind.outstanding).toBe(0);
});

test('a window of messages without answers ends the bind', async () => {
  peer.behaviour.answers = 'never';
  const bind = await bound({ window: 2 });
  const results = ['a', 'b', 'c'].map((text) => bind.submit(message(text)));
  await peer.when(() => peer.submitted.length === 2);
  await clock.move(10_000);
  expect((await Promise.all(results)).map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'not-written']);
  expect(await bind.ended).toEqual({ kind: 'lost', text: 'the SMSC answers no messages' });
});

test('a silent link is tried, and lost once enquire_link gets no answer', async () => {
  const bind = await bound();
  const enquiries = (): number => peer.received.filter(({ command }) => command === 'enquire_link').length;
  await clock.move(30_000);
  await peer.when(() => enquiries() === 1);
  // The answer has arrived before the next message can be answered.
  await bind.submit(message('a'));
  peer.behaviour.isAlive = false;
  await clock.move(30_000);
  await peer.when(() => enquiries() === 2);
  const result = bind.submit(message('b'));
  await peer.when(() => peer.received.at(-1)?.command === 'submit_sm');
  await clock.move(10_000);
  expect(await bind.ended).toEqual({ kind: 'lost', text: 'the SMSC does not answer enquire_link' });
  expect(await result).toMatchObject({ kind: 'unknown' });
});

test('deliveries are answered after their handler, and refused for now if it fails', async () => {
  const bind = await bound({
    onDelivery: ({ fields }) =>
      fields.sourceAddr === '1' ? Promise.resolve() : Promise.reject(new Error('no database')),
  });
  expect(await peer.ask(delivery('1'))).toMatchObject({ command: 'deliver_sm_resp', status: 0 });
  expect(await peer.ask(delivery('2'))).toMatchObject({ command: 'deliver_sm_resp', status: 0x64 });
  expect(events).toEqual([{ kind: 'delivery-failed', error: new Error('no database') }]);
  await bind.close();
});

test('few deliveries are handled at once, some wait, and more are refused for now', async () => {
  const handled: PromiseWithResolvers<void>[] = [];
  await bound({
    onDelivery: () => {
      handled.push(Promise.withResolvers());
      return handled.at(-1)!.promise;
    },
  });
  const asked = Array.from({ length: 13 }, (_, index) => peer.ask(delivery(String(index))));
  expect(await asked[12]).toMatchObject({ status: 0x64 });
  expect(handled).toHaveLength(4);
  expect(answers()).toHaveLength(1);
  for (let index = 0; index < 12; index += 1) {
    handled[index]!.resolve();
    expect(await asked[index]).toMatchObject({ status: 0 });
  }
});

test('a transmitter takes no deliveries', async () => {
  await bound({ mode: 'transmitter' });
  expect(await peer.ask(delivery('1'))).toMatchObject({ status: 0x04 });
  expect(delivered).toEqual([]);
});

test('a close lets what was written get its answer, writes nothing else, and unbinds', async () => {
  peer.behaviour.answers = 'held';
  const bind = await bound({ window: 1 });
  const results = ['a', 'b'].map((text) => bind.submit(message(text)));
  await peer.when(() => peer.submitted.length === 1);
  const closing = bind.close();
  expect(await results[1]).toMatchObject({ kind: 'not-written' });
  peer.release();
  await closing;
  expect(await results[0]).toMatchObject({ kind: 'answered' });
  expect(await bind.ended).toEqual({ kind: 'closed' });
  expect(peer.received.at(-1)).toMatchObject({ command: 'unbind' });
});

test('an SMSC may end the bind', async () => {
  const bind = await bound();
  expect(await peer.ask({ command: 'unbind', status: 0, fields: {}, tlvs: [] })).toMatchObject({
    command: 'unbind_resp',
  });
  expect(await bind.ended).toEqual({ kind: 'unbound' });
});

test('enquire_link of the SMSC is answered, and an unknown command refused', async () => {
  await bound();
  expect(await peer.ask({ command: 'enquire_link', status: 0, fields: {}, tlvs: [] })).toMatchObject({
    command: 'enquire_link_resp',
  });
  const unknown = Buffer.from('00000010000001210000000000000063', 'hex');
  peer.send(unknown);
  await peer.when(() => peer.received.at(-1)?.command === 'generic_nack');
  expect(peer.received.at(-1)).toMatchObject({ status: 0x03, sequence: 0x63 });
});

test('answers with wrong sequence numbers answer nothing', async () => {
  peer.behaviour.sequenceShift = 1_000;
  const bind = await bound();
  const result = bind.submit(message('a'));
  await peer.when(() => peer.submitted.length === 1);
  await peer.ask({ command: 'enquire_link', status: 0, fields: {}, tlvs: [] });
  expect(events).toEqual([{ kind: 'unmatched', command: 'submit_sm_resp', sequence: 1_002 }]);
  await clock.move(10_000);
  expect(await result).toMatchObject({ kind: 'unknown' });
});

test('a second answer to one message, and one of another command, change nothing', async () => {
  peer.behaviour.answers = 'held';
  const bind = await bound();
  const result = bind.submit(message('a'));
  await peer.when(() => peer.submitted.length === 1);
  const { sequence } = peer.submitted[0]!;
  peer.send(encodePdu({ command: 'enquire_link_resp', status: 0, sequence, fields: {}, tlvs: [] }));
  peer.release();
  expect(await result).toMatchObject({ kind: 'answered', messageId: smppMessageId(0) });
  const again = {
    command: 'submit_sm_resp',
    status: 8,
    sequence,
    fields: { messageId: '' },
    tlvs: [],
  } as const;
  peer.send(encodePdu(again));
  await peer.ask({ command: 'enquire_link', status: 0, fields: {}, tlvs: [] });
  expect(events.map(({ kind }) => kind)).toEqual(['unmatched', 'unmatched']);
});

test('a PDU of 16 MB ends the bind at its length', async () => {
  peer.behaviour.answers = 'held';
  const bind = await bound();
  const result = bind.submit(message('a'));
  await peer.when(() => peer.submitted.length === 1);
  peer.send(Buffer.from('01000000', 'hex'));
  expect(await bind.ended).toEqual({ kind: 'lost', text: 'the peer sent a PDU of 16777216 octets' });
  expect(await result).toMatchObject({ kind: 'unknown' });
});

test('everything works octet by octet', async () => {
  peer.behaviour.isSplit = true;
  const bind = await bound();
  expect(await bind.submit(message('a'))).toMatchObject({ kind: 'answered' });
  await peer.ask(delivery('7'));
  expect(delivered).toEqual(['7']);
  await bind.close();
});

test('a field that cannot be written rejects, and nothing is written', async () => {
  const bind = await bound();
  const wrong = message('a');
  const submit = bind.submit({ ...wrong, fields: { ...wrong.fields, sourceAddr: 'x'.repeat(30) } });
  await expect(submit).rejects.toThrow(RangeError);
  expect(await bind.submit(message('b'))).toMatchObject({ kind: 'answered' });
  expect(peer.submitted).toHaveLength(1);
});

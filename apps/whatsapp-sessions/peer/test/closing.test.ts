import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { overlaps, startWhatsappPeer, type WhatsappPeer } from '../client.ts';
import { connect, newSession, open, type Session } from './plain-client.ts';

const phone = '15550100001';
let peer: WhatsappPeer;
let session: Session;
beforeAll(async () => {
  peer = await startWhatsappPeer();
  session = newSession();
  await (await open(peer, session, phone)).socket.end(undefined);
});
afterAll(() => peer.stop());

describe('a login is refused with', () => {
  test.each([401, 403, 405, 419, 500, 503])('%d', async (code) => {
    await peer.behave({ account: phone, refuseLogin: code });
    expect(await connect(peer, session).closed()).toBe(code);
    await peer.behave({ account: phone, refuseLogin: null });
  });
});

test.each([402, 406, 409])('a login is refused with %d and details', async (reason) => {
  await peer.behave({ account: phone, refuseLogin: { reason, code: 101, expire: 3_600 } });
  const client = connect(peer, session);
  expect(await client.closed()).toBe(reason);
  const { lastDisconnect } = client.updates.find(({ connection }) => connection === 'close')!;
  expect(lastDisconnect?.error).toMatchObject({ data: { code: '101', expire: '3600' } });
  await peer.behave({ account: phone, refuseLogin: null });
});

describe('an open session is ended with', () => {
  test.each([403, 500, 503, 515])('%d', async (code) => {
    const client = await open(peer, session, phone);
    await peer.end(phone, code);
    expect(await client.closed()).toBe(code);
  });

  test('440 for a conflict', async () => {
    const client = await open(peer, session, phone);
    await peer.end(phone, 'conflict');
    expect(await client.closed()).toBe(440);
  });

  test('401 for a removed device, which may reconnect, because the phone has not removed it', async () => {
    const client = await open(peer, session, phone);
    await peer.end(phone, 'device_removed');
    expect(await client.closed()).toBe(401);
    await (await open(peer, session, phone)).socket.end(undefined);
  });

  test('440, as far as Baileys sees, for a removed device without a code', async () => {
    const client = await open(peer, session, phone);
    await peer.end(phone, 'removed_without_code');
    expect(await client.closed()).toBe(440);
    await (await open(peer, session, phone)).socket.end(undefined);
  });

  test('no stanza when the connection is cut, which the client reports as 428', async () => {
    const client = await open(peer, session, phone);
    await peer.cut(phone);
    expect(await client.closed()).toBe(428);
  });
});

test('a closed server refuses connections, and still has its accounts when it opens again', async () => {
  const client = await open(peer, session, phone);
  await peer.listen(false);
  expect(await client.closed()).toBe(428);
  expect(await connect(peer, session).closed()).toBe(408);
  await peer.listen(true);
  await (await open(peer, session, phone)).socket.end(undefined);
});

test('a frozen server accepts the connection and answers nothing, until the client gives up', async () => {
  await peer.behave({ frozen: true });
  const client = connect(peer, session, { connectTimeoutMs: 300 });
  expect(await client.closed()).toBe(408);
  await peer.behave({ frozen: null });
});

test('one account can freeze: its pings stay unanswered, and other accounts go on', async () => {
  const other = await open(peer, newSession(), '15550100002');
  const client = await open(peer, session, phone);
  await peer.behave({ account: phone, frozen: true });
  await expect(client.socket.query(ping('frozen'), 200)).rejects.toThrow('Timed Out');
  await expect(other.socket.query(ping('living'), 60_000)).resolves.toMatchObject({
    attrs: { type: 'result' },
  });
  await client.socket.end(undefined);
  await other.socket.end(undefined);
  await peer.behave({ account: phone, frozen: null });
});

test('no account had two sessions at once in any of these tests', async () => {
  const { connections } = await peer.when((log) =>
    log.connections.every(({ closedAt }) => closedAt !== null),
  );
  expect(connections.filter(({ jid }) => jid !== null).length).toBeGreaterThan(8);
  expect(overlaps(connections)).toEqual([]);
});

function ping(id: string) {
  return {
    tag: 'iq',
    attrs: { id, to: 's.whatsapp.net', type: 'get', xmlns: 'w:p' },
    content: [{ tag: 'ping', attrs: {} }],
  };
}

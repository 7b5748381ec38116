import { proto } from '@whiskeysockets/baileys';
import { readHistory } from './read.ts';

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

const chat = (id: string, more: proto.IConversation = {}): proto.IConversation => ({
  id,
  messages: [{ message: { key: { id: 'A' }, message: { conversation: 'an old message' } } }],
  ...more,
});

const history = proto.HistorySync.encode({
  syncType: proto.HistorySync.HistorySyncType.RECENT,
  progress: 100,
  pushnames: [{ id: '15550000009@s.whatsapp.net', pushname: 'Ada' }],
  conversations: [
    chat('91@lid', {
      pnJid: '11@s.whatsapp.net',
      tcToken: Buffer.from('one'),
      tcTokenTimestamp: 1_700_000_000,
      tcTokenSenderTimestamp: 1_700_000_001,
    }),
    chat('12@s.whatsapp.net', {
      lidJid: '92@lid',
      tcToken: Buffer.from('two'),
      tcTokenTimestamp: 1_700_000_002,
    }),
    chat('13@s.whatsapp.net'),
    chat('14@s.whatsapp.net', { tcToken: Buffer.alloc(5_000), tcTokenTimestamp: 1_700_000_003 }),
    chat('99@g.us', { tcToken: Buffer.from('a group'), tcTokenTimestamp: 1_700_000_004 }),
  ],
  phoneNumberToLidMappings: [{ pnJid: '15@s.whatsapp.net', lidJid: '95@lid' }],
}).finish();

test.each([1, 7, 65_536])('reads tokens and LIDs from pieces of %d bytes', async (length) => {
  const { tokens, lids } = await readHistory(inPieces(history, length));
  expect(tokens).toEqual([
    { jid: '91@lid', token: Buffer.from('one'), at: 1_700_000_000, sentAt: 1_700_000_001 },
    { jid: '12@s.whatsapp.net', token: Buffer.from('two'), at: 1_700_000_002, sentAt: null },
  ]);
  expect([...lids]).toEqual([
    ['11@s.whatsapp.net', '91@lid'],
    ['12@s.whatsapp.net', '92@lid'],
    ['15@s.whatsapp.net', '95@lid'],
  ]);
});

test.each([
  ['ends early', history.subarray(0, history.length - 3), /ends early/],
  ['has no fields', Buffer.alloc(20, 255), /too long/],
  ['has a field longer than its message', Buffer.from([0x12, 0x02, 0x0a, 0x09, 0, 0, 0]), /longer/],
])('a history that %s is refused', async (_, bytes, why) => {
  await expect(readHistory(inPieces(bytes, 64))).rejects.toThrow(why);
});

/** A chat of that size: one message and a token. */
async function* longChat(messageBytes: number): AsyncGenerator<Uint8Array> {
  const token = proto.Conversation.encode({
    id: '91@lid',
    tcToken: Buffer.from('one'),
    tcTokenTimestamp: 1_700_000_000,
  }).finish();
  yield tagged(2, token.length + tagged(2, messageBytes).length + messageBytes);
  yield tagged(2, messageBytes);
  const piece = Buffer.alloc(65_536);
  for (let sent = 0; sent < messageBytes; sent += piece.length) yield piece.subarray(0, messageBytes - sent);
  yield token;
}

/** The head of a field of bytes. */
function tagged(field: number, length: number): Buffer {
  const head = [field * 8 + 2];
  let left = length;
  for (; left > 127; left = Math.floor(left / 128)) head.push((left % 128) + 128);
  return Buffer.from([...head, left]);
}

test('keeps no part of a message in memory, however long it is', async () => {
  const before = process.memoryUsage().arrayBuffers;
  const { tokens } = await readHistory(longChat(300 * 1_048_576));
  expect(tokens).toHaveLength(1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1_048_576);
});

test('a history of more than half a gigabyte is refused', async () => {
  await expect(readHistory(longChat(600 * 1_048_576))).rejects.toThrow(/too long/);
});

import type { Inbound } from '../adapter/inbound.ts';
import { parseUpdates } from './updates.ts';

const ada = { id: 1000, is_bot: false, first_name: 'Ada', last_name: 'Lovelace', username: 'ada' };
const chat = { id: 1000, type: 'private', first_name: 'Ada', username: 'ada' };
const group = { id: -100_777, type: 'supergroup', title: 'The shop' };
const date = 1_790_000_000;
const sentAt = new Date(date * 1_000);
const profile = { name: 'Ada Lovelace', username: 'ada' };

/** A message in the private chat, in an update. */
const written = (fields: object, kind = 'message') => ({
  update_id: 9,
  [kind]: { message_id: 5, from: ada, chat, date, ...fields },
});

/** The only message of an update. */
function only(update: object): Inbound {
  const { inbound, ...rest } = parseUpdates([update]);
  expect(rest).toMatchObject({ moved: [], consents: [] });
  expect(inbound).toHaveLength(1);
  return inbound[0]!;
}

test('a text, whole', () => {
  expect(only(written({ text: 'Grüße <b>' }))).toEqual({
    externalId: '1000:5',
    from: '1000',
    to: null,
    sentAt,
    type: 'text',
    body: { text: 'Grüße <b>' },
    contact: profile,
    replyTo: null,
    file: null,
  });
});

const file = { file_id: 'AgAD', file_unique_id: 'u', file_size: 77 };
const media = (type: string, changes: object = {}) => ({
  type,
  body: { type, caption: null, filename: null, mimeType: null, bytes: 77, ...changes },
});

describe('what a message can hold', () => {
  test.each<[string, object, object]>([
    [
      'a photo, in its largest size',
      {
        photo: [
          { file_id: 'big', width: 90, height: 90, file_size: 9 },
          { file_id: 'small', width: 10, height: 10, file_size: 99 },
        ],
        caption: 'A cat',
      },
      {
        type: 'image',
        body: { type: 'image', caption: 'A cat', filename: null, mimeType: 'image/jpeg', bytes: 9 },
        file: { id: 'big', mimeType: 'image/jpeg' },
      },
    ],
    ['a video', { video: { ...file, mime_type: 'video/mp4' } }, media('video', { mimeType: 'video/mp4' })],
    ['a round video', { video_note: file }, media('video', { mimeType: 'video/mp4' })],
    [
      'an animation, which is a document, too',
      { animation: { ...file, file_name: 'a.gif' }, document: file },
      media('video', { filename: 'a.gif' }),
    ],
    ['audio', { audio: { ...file, mime_type: 'audio/mpeg' } }, media('audio', { mimeType: 'audio/mpeg' })],
    ['a voice message', { voice: file, caption: '' }, media('audio', { mimeType: 'audio/ogg' })],
    [
      'a document',
      { document: { ...file, file_name: 'Bill.pdf', mime_type: 'application/pdf' }, caption: 'March' },
      media('document', { filename: 'Bill.pdf', mimeType: 'application/pdf', caption: 'March' }),
    ],
    ['a sticker', { sticker: file }, media('image', { mimeType: 'image/webp' })],
    ['a video sticker', { sticker: { ...file, is_video: true } }, media('image', { mimeType: 'video/webm' })],
    [
      'a drawn sticker',
      { sticker: { ...file, is_animated: true } },
      media('image', { mimeType: 'application/x-tgsticker' }),
    ],
    [
      'a file without an id or a size',
      { document: {} },
      { type: 'document', file: null, body: { ...media('document').body, bytes: null } },
    ],
    [
      'a location',
      { location: { latitude: 48.1, longitude: -11.5 } },
      { type: 'location', body: { latitude: 48.1, longitude: -11.5, name: null, address: null } },
    ],
    [
      'a venue, which is a location, too',
      {
        location: { latitude: 1, longitude: 2 },
        venue: { location: { latitude: 1, longitude: 2 }, title: 'Museum', address: 'Island 1' },
      },
      { type: 'location', body: { latitude: 1, longitude: 2, name: 'Museum', address: 'Island 1' } },
    ],
    [
      'a contact',
      { contact: { phone_number: '+4915112345678', first_name: 'Grace', last_name: 'Hopper' } },
      { type: 'contact', body: { contacts: [{ name: 'Grace Hopper', phones: ['+4915112345678'] }] } },
    ],
    ['a poll', { poll: { id: '1' } }, { type: 'unsupported', body: { kind: 'poll' } }],
    [
      'a change in the group',
      { via_bot: ada, new_chat_members: [ada] },
      { type: 'unsupported', body: { kind: 'new_chat_members' } },
    ],
    ['nothing that we know', {}, { type: 'unsupported', body: { kind: 'message' } }],
    ['a kind with a wild name', { 'a b': 1 }, { type: 'unsupported', body: { kind: 'message' } }],
  ])('%s', (_, fields, expected) => {
    expect(only(written(fields))).toMatchObject({ externalId: '1000:5', from: '1000', sentAt, ...expected });
  });
});

describe('what a message belongs to', () => {
  test('a reply names the message of its chat', () => {
    const quoted = { message_id: 3, chat, date, text: 'Hello' };
    expect(only(written({ text: 'Hi', reply_to_message: quoted })).replyTo).toBe('1000:3');
  });

  test('a message in a topic names the topic, and a thread of replies is none', () => {
    const inTopic = { text: 'Hi', message_thread_id: 3, is_topic_message: true };
    expect(only(written(inTopic)).threadId).toBe(3);
    expect(only(written({ text: 'Hi', message_thread_id: 3 }))).not.toHaveProperty('threadId');
  });

  test('a message in a topic does not answer the one that opened the topic', () => {
    const opened = { message_id: 3, chat, date, forum_topic_created: { name: 'Help' } };
    expect(only(written({ text: 'Hi', reply_to_message: opened })).replyTo).toBeNull();
  });

  test('in a group: answers go to the group, the person is named', () => {
    expect(only(written({ chat: group, text: 'Hi' }))).toMatchObject({
      externalId: '-100777:5',
      from: '-100777',
      contact: profile,
    });
  });

  test('somebody who writes in the name of a group or a channel is named so', () => {
    expect(only(written({ chat: group, sender_chat: group, text: 'Hi' })).contact).toEqual({
      name: 'The shop',
    });
    const channel = { id: -100_888, type: 'channel', title: 'News', username: 'news' };
    const post = { update_id: 1, channel_post: { message_id: 4, chat: channel, date, text: 'Today' } };
    expect(only(post)).toMatchObject({
      externalId: '-100888:4',
      type: 'text',
      contact: { name: 'News', username: 'news' },
    });
  });

  test.each(['edited_message', 'edited_channel_post'])('%s is a message of its own', (kind) => {
    expect(only(written({ text: 'Hi!', edit_date: date + 9 }, kind))).toMatchObject({
      externalId: 'update:9',
      type: 'unsupported',
      body: { kind: 'edited' },
      replyTo: '1000:5',
      sentAt: new Date((date + 9) * 1_000),
    });
  });
});

describe('reactions', () => {
  const emoji = (text: string) => ({ type: 'emoji', emoji: text });
  const react = (before: object[], after: object[]) => ({
    update_id: 10,
    message_reaction: { chat, message_id: 3, user: ada, date, old_reaction: before, new_reaction: after },
  });

  test.each<[string, object[], object[], string | null]>([
    ['given', [], [emoji('👍')], '👍'],
    ['changed', [emoji('👍')], [emoji('❤')], '❤'],
    ['added', [emoji('👍')], [emoji('👍'), emoji('🔥')], '🔥'],
    ['one of two taken back', [emoji('👍'), emoji('🔥')], [emoji('👍')], '👍'],
    ['taken back', [emoji('👍')], [], null],
  ])('%s', (_, before, after, shown) => {
    expect(only(react(before, after))).toMatchObject({
      externalId: 'update:10',
      from: '1000',
      type: 'reaction',
      body: { emoji: shown },
      replyTo: '1000:3',
      contact: profile,
      sentAt,
    });
  });

  test('one that is no emoji is not shown as taken back', () => {
    const own = { type: 'custom_emoji', custom_emoji_id: '77' };
    expect(only(react([], [own]))).toMatchObject({ type: 'unsupported', body: { kind: 'custom_emoji' } });
  });
});

describe('buttons', () => {
  const keyboard = {
    inline_keyboard: [[{ text: 'No', callback_data: 'n' }], [{ text: 'Yes', callback_data: 'y' }]],
  };
  const press = (fields: object) => ({ update_id: 11, callback_query: { id: '4382', from: ada, ...fields } });

  test('a pressed button, with its words and its message', () => {
    const message = { message_id: 3, chat, date, reply_markup: keyboard };
    const update = press({ message, data: 'y' });
    expect(only(update)).toMatchObject({
      externalId: 'press:4382',
      from: '1000',
      type: 'button',
      body: { text: 'Yes', payload: 'y' },
      replyTo: '1000:3',
      contact: profile,
      sentAt: null,
    });
    expect(parseUpdates([update]).presses).toEqual(['4382']);
  });

  test('of a message that is too old to be shown', () => {
    const update = press({ message: { message_id: 3, chat, date: 0 }, data: 'y' });
    expect(only(update)).toMatchObject({ body: { text: 'y', payload: 'y' }, replyTo: '1000:3' });
  });

  test('of an inline result', () => {
    const update = press({ inline_message_id: 'x', game_short_name: 'chess' });
    expect(only(update)).toMatchObject({ from: '1000', body: { payload: 'chess' }, replyTo: null });
  });
});

describe('what is no message', () => {
  const member = (status: string, type = 'private') => ({
    update_id: 12,
    my_chat_member: { chat: { ...chat, type }, from: ada, date, new_chat_member: { status } },
  });

  test.each<[string, object, object[]]>([
    ['blocked', member('kicked'), [{ recipient: '1000', optedOut: true }]],
    ['unblocked', member('member'), [{ recipient: '1000', optedOut: false }]],
    ['thrown out of a group', member('kicked', 'group'), []],
    ['made administrator', member('administrator'), []],
  ])('the bot was %s', (_, update, consents) => {
    expect(parseUpdates([update])).toEqual({ inbound: [], moved: [], consents, presses: [] });
  });

  test('a group that became a supergroup, told in both chats', () => {
    const old = written({ chat: { id: -99, type: 'group' }, migrate_to_chat_id: -100_777 });
    const fresh = written({ chat: group, migrate_from_chat_id: -99 });
    const moved = { from: '-99', to: '-100777' };
    expect(parseUpdates([old, fresh])).toEqual({
      inbound: [],
      moved: [moved, moved],
      consents: [],
      presses: [],
    });
  });
});

describe('pairing', () => {
  test.each<[string, string | undefined]>([
    ['/start A-b_9', 'A-b_9'],
    ['/start@notify_test_bot A-b_9', 'A-b_9'],
    ['/start', undefined],
    ['/start a b', undefined],
    [`/start ${'x'.repeat(65)}`, undefined],
    ['start abc', undefined],
  ])('%s', (text, pairing) => {
    const inbound = only(written({ text }));
    expect(inbound.pairing).toBe(pairing);
    expect(inbound.body).toEqual({ text });
  });
});

describe('whatever arrives', () => {
  test('an unknown kind is told by its name', () => {
    const update = { update_id: 13, gift_wrapped: { user: ada } };
    expect(only(update)).toMatchObject({
      externalId: 'update:13',
      from: '1000',
      type: 'unsupported',
      body: { kind: 'gift_wrapped' },
    });
  });

  test.each([
    [null, 1, 'x', [], {}],
    [{ update_id: 1 }, { update_id: 1, poll: { id: 'x' } }, { update_id: 1, message: {} }],
    [{ message: { chat: { id: 1.5 }, text: 'x' } }, { callback_query: { id: 5, from: { id: 'x' } } }],
    [{ message_reaction: { chat: 5 } }, { my_chat_member: { chat: { type: 'private' } } }],
  ])('%j, %j, %j holds nothing', (...updates) => {
    expect(parseUpdates(updates)).toEqual({ inbound: [], moved: [], consents: [], presses: [] });
  });

  test.each([
    [91, 0],
    [0, -181],
    [Infinity, 0],
  ])('%d, %d is no place', (latitude, longitude) => {
    const { type, body } = only(written({ location: { latitude, longitude } }));
    expect({ type, body }).toEqual({ type: 'unsupported', body: { kind: 'location' } });
  });

  test('wrong types inside a message do no harm', () => {
    const wrong = {
      from: 'Ada',
      date: 'today',
      photo: [null, 'x', {}],
      sticker: 5,
      location: { latitude: 'north' },
      contact: [],
      reply_to_message: 7,
    };
    expect(only(written(wrong))).toMatchObject({ sentAt: null, type: 'image', file: null, replyTo: null });
    expect(only(written({ date: 1e20, text: 'x' })).sentAt).toBeNull();
  });
});

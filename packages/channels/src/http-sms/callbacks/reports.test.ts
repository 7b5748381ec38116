import type { CallbackRequest } from '../../adapter/channel.ts';
import { httpSms } from '../http-sms.ts';
import type { HttpSmsSettings } from '../settings/settings.ts';

const id = '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e';
const url = 'https://gw.example/send';
const template: HttpSmsSettings = {
  url,
  body: { type: 'query', fields: { to: '{{to}}', text: '{{text}}' } },
};

describe('delivery receipts', () => {
  const kannel: HttpSmsSettings = { profile: 'kannel', url, username: 'u', password: 'p' };
  const byBody: HttpSmsSettings = {
    ...template,
    reports: {
      status: '/event/status',
      values: { DELIVRD: 'delivered', UNDELIV: 'failed', ACCEPTD: 'ignored' },
      externalId: '/event/id',
      id: '/event/ref',
      text: '/event/why',
    },
  };
  const read = (settings: HttpSmsSettings, query: string, body = '') => {
    const request: CallbackRequest = {
      method: 'POST',
      url: `/?${query}`,
      publicUrl: null,
      query: new URLSearchParams(query),
      headers: {},
      body: Buffer.from(body),
      secretMatches: true,
      address: '192.0.2.1',
    };
    return httpSms.parseCallback?.(request, settings);
  };
  const receipt = (changes: object) => ({ messageId: id, externalId: null, part: null, ...changes });

  test.each([
    ['8', { status: 'sent', providerCode: '8', text: 'ACK/' }],
    ['1', { status: 'delivered', providerCode: '1', text: 'ACK/' }],
    ['2', { status: 'failed', errorCode: 'undelivered', providerCode: '2', text: 'ACK/' }],
    ['16', { status: 'failed', errorCode: 'undelivered', providerCode: '16', text: 'ACK/' }],
    ['34', { status: 'failed', errorCode: 'undelivered', providerCode: '34', text: 'ACK/' }],
  ])('Kannel type %s', (type, changes) => {
    const result = read(kannel, `notify_id=${id}&type=${type}&reply=ACK%2F`);
    expect(result).toEqual({ kind: 'receipts', receipts: [receipt(changes)] });
  });

  test.each(['4', '77', 'constructor'])('Kannel type %s changes nothing', (type) => {
    expect(read(kannel, `notify_id=${id}&type=${type}`)).toEqual({ kind: 'receipts', receipts: [] });
  });

  test('reads the part', () => {
    const result = read(kannel, `notify_id=${id}.2&type=1`);
    expect(result).toMatchObject({ receipts: [{ messageId: id, part: 2 }] });
  });

  test('an id that is a number of 20 digits keeps each of them, after a byte order mark too', () => {
    const body = '\ufeff{"event":{"status":"DELIVRD","id":12345678901234567890}}';
    const theirs = { messageId: null, externalId: '12345678901234567890', status: 'delivered' };
    expect(read(byBody, '', body)).toMatchObject({ receipts: [theirs] });
  });

  test('an id is as long as that of an answer can be', () => {
    const body = JSON.stringify({ event: { status: 'DELIVRD', id: 'x'.repeat(600) } });
    expect(read(byBody, '', body)).toMatchObject({ receipts: [{ externalId: 'x'.repeat(512) }] });
  });

  test('by JSON body, found by our id or by theirs', () => {
    const event = { status: 'UNDELIV', id: 'gw-1', why: 'absent' };
    const theirs = { messageId: null, externalId: 'gw-1', status: 'failed', text: 'absent' };
    expect(read(byBody, '', JSON.stringify({ event }))).toMatchObject({ receipts: [theirs] });
    const ours = { messageId: id, externalId: 'gw-1', part: 1 };
    expect(read(byBody, '', JSON.stringify({ event: { ...event, ref: `${id}.1` } }))).toMatchObject({
      receipts: [ours],
    });
  });

  test('by form body', () => {
    const settings = { ...template, reports: { status: 'st', values: { ok: 'delivered' as const } } };
    expect(read(settings, `notify_id=${id}`, 'st=ok&x=1')).toMatchObject({ receipts: [{ messageId: id }] });
  });

  test.each([
    [kannel, `notify_id=${id}`],
    [kannel, 'type=1'],
    [kannel, 'notify_id=nonsense&type=1'],
    [template, `notify_id=${id}&type=1`],
  ])('what cannot be read is named', (settings, query) => {
    expect(read(settings, query)).toMatchObject({ kind: 'malformed' });
  });
});

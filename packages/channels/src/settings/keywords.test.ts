import { adapters } from '../registry.ts';
import { sandbox } from '../sandbox/sandbox.ts';
import { keywordsOf } from './keywords.ts';
import { checkSettings } from './settings.ts';

function faults(keywords: unknown, channel = 'sms'): unknown {
  return checkSettings(sandbox, { channel, keywords });
}

test('every provider takes words about consent', () => {
  for (const { id, settings } of adapters.values())
    expect([id, settings.properties]).toMatchObject([id, { keywords: {} }]);
});

test('words replace the default list that they name, an empty list switches it off', () => {
  expect(keywordsOf('sms', { keywords: { stop: ['BASTA'] } })).toEqual({
    stop: ['BASTA'],
    start: ['START', 'YES', 'UNSTOP'],
  });
  expect(keywordsOf('whatsapp', { keywords: { stop: [] } }).stop).toEqual([]);
  expect(keywordsOf('whatsapp', null).stop).toContain('STOPALL');
  expect(keywordsOf('telegram', { keywords: { stop: ['/stop'] } })).toEqual({ stop: ['/stop'], start: [] });
});

test('words of any language pass', () => {
  expect(faults({ stop: ['стоп', '停止', 'İptal'], start: ['devam'] })).toEqual([]);
  expect(faults({ stop: [], start: [] })).toEqual([]);
  expect(faults({})).toEqual([]);
});

test.each([
  [
    { stop: ['basta'], start: ['sí', 'Basta!'] },
    { at: '/keywords/start/1', message: 'is also a word that opts out' },
  ],
  [{ start: ['quit'] }, { at: '/keywords/start/0', message: 'is also a word that opts out' }],
  [{ stop: ['no', 'yes'] }, { at: '/keywords/stop/1', message: 'is also a word that opts in' }],
  [{ stop: [' \u200b'] }, { at: '/keywords/stop/0', message: 'must not be blank' }],
  [{ stop: [''] }, { at: '/keywords/stop/0', message: expect.any(String) }],
  [{ stop: 'STOP' }, { at: '/keywords/stop', message: 'must be array' }],
  [{ help: ['HELP'] }, { at: '/keywords/help', message: 'is not a known field' }],
  [{ stop: ['x'.repeat(51)] }, { at: '/keywords/stop/0', message: expect.any(String) }],
  [{ stop: Array(51).fill('x') }, { at: '/keywords/stop', message: expect.any(String) }],
])('%j is refused, and the fault names the word', (keywords, fault) => {
  expect(faults(keywords)).toEqual([fault]);
});

test('a default of another channel is no fault', () => {
  expect(faults({ start: ['quit'] }, 'telegram')).toEqual([]);
});

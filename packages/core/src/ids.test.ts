import { formatId, isUuid, lowestId, lowestIdAt, parseId, timeOfId } from './ids.ts';

const bare = '01912d68-783e-7a03-8467-5661c1243ad4';

test('ids are read with or without their prefix, in any case, and written with it', () => {
  expect(formatId('msg', bare)).toBe(`msg_${bare}`);
  expect(parseId('msg', `msg_${bare}`)).toBe(bare);
  expect(parseId('msg', bare.toUpperCase())).toBe(bare);
});

test.each(['', 'msg_', `key_${bare}`, `msg_msg_${bare}`, `${bare}x`, bare.slice(1), `{${bare}}`, 'msg_%00'])(
  'reads %j as nothing',
  (text) => {
    expect(parseId('msg', text)).toBeNull();
  },
);

test('a bare UUID is one in any case', () => {
  expect([isUuid(bare), isUuid(bare.toUpperCase()), isUuid(`msg_${bare}`)]).toEqual([true, true, false]);
});

test('the lowest id of an instant has its time, and one before 1970 is the lowest of all', () => {
  const at = new Date('2026-01-31T09:30:00.123Z');
  expect(timeOfId(lowestIdAt(at))).toBe(at.getTime());
  expect(lowestIdAt(new Date(-1))).toBe(lowestId);
});

import { formatId, isUuid, parseId } from './ids.ts';

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

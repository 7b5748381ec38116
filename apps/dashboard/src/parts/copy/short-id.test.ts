import { shortId } from './short-id.ts';

test.each([
  ['msg_01a20085-c49f-7b6f-90af-2e24b4f6c220', 'msg_01a20085…c220'],
  ['01a20085-c49f-7b6f-90af-2e24b4f6c220', '01a20085…c220'],
  ['evt_1', 'evt_1'],
  ['', ''],
])('%s is %s', (id, short) => {
  expect(shortId(id)).toBe(short);
});

import { createHmac, randomBytes } from 'node:crypto';
import { createOneTimeCodes } from './one-time-codes.ts';

const old = { version: 1, key: randomBytes(32) };
const current = { version: 2, key: randomBytes(32) };
const id = '01912d68-783e-7a03-8467-5661c1243ad4';

test.each([4, 6, 10])('codes of %i digits, each digit equally likely', (digits) => {
  const codes = createOneTimeCodes([current]);
  const counts = new Map<string, number>();
  for (let index = 0; index < 4_000; index += 1) {
    const code = codes.make(digits);
    expect(code).toMatch(new RegExp(`^[0-9]{${digits}}$`));
    for (const digit of code.split('')) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  const expected = (4_000 * digits) / 10;
  const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // Nine degrees of freedom: beyond 50 once in ten million runs.
  expect([counts.size, chi < 50]).toEqual([10, true]);
});

test('the same code hashes differently every time, and again the same with its salt and for its verification only', () => {
  const codes = createOneTimeCodes([current]);
  const first = codes.hash('271828', id);
  const second = codes.hash('271828', id);
  expect(first.hash).not.toEqual(second.hash);
  expect(codes.hashAgain('271828', id, first)).toEqual(first.hash);
  expect(codes.hashAgain('271829', id, first)).not.toEqual(first.hash);
  expect(codes.hashAgain('271828', `${id.slice(0, -1)}5`, first)).not.toEqual(first.hash);
  expect(codes.hashAgain('271828', id, second)).not.toEqual(first.hash);
});

test('a key that was added does not change earlier hashes, and a key that is gone compares nothing', () => {
  const before = createOneTimeCodes([old]).hash('271828', id);
  const both = createOneTimeCodes([current, old]);
  expect(both.hashAgain('271828', id, before)).toEqual(before.hash);
  expect(both.hash('271828', id).keyVersion).toBe(2);
  expect(createOneTimeCodes([current]).hashAgain('271828', id, before)).toBeNull();
});

test('the key is not the master key itself', () => {
  const { hash, salt } = createOneTimeCodes([current]).hash('271828', id);
  const plain = createHmac('sha256', current.key).update(salt).update(`${id}:271828`).digest();
  expect(hash).not.toEqual(plain);
});

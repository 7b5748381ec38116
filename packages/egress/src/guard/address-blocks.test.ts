import { compileBlocks, covers, formatBlock, readBlock } from './address-blocks.ts';

/** A generator of numbers below `limit`, the same in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** An address as bits, which the model compares one by one. */
type Bits = readonly number[];

const textOf = (bits: Bits): string =>
  bits.length === 32
    ? chunks(bits, 8).map(numberOf).join('.')
    : chunks(bits, 16)
        .map((group) => numberOf(group).toString(16))
        .join(':');
const numberOf = (bits: Bits): number => bits.reduce((sum, bit) => sum * 2 + bit, 0);
const chunks = (bits: Bits, size: number): Bits[] =>
  Array.from({ length: bits.length / size }, (_, index) => bits.slice(index * size, (index + 1) * size));

test('an address is allowed exactly if its first bits are those of a block', () => {
  const below = numbers(7);
  const bits = (length: number): number[] => Array.from({ length }, () => below(2));
  let allowed = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const blocks = Array.from({ length: 1 + below(4) }, () => {
      const address = bits(below(2) === 0 ? 32 : 128);
      return { address, prefix: below(address.length + 1) };
    });
    const check = compileBlocks(blocks.map(({ address, prefix }) => `${textOf(address)}/${prefix}`));
    const near = blocks[below(blocks.length)]!;
    const client = [...near.address];
    for (let flips = below(3); flips > 0; flips -= 1) client[below(client.length)]! ^= 1;
    const expected = blocks.some(
      ({ address, prefix }) =>
        address.length === client.length &&
        address.slice(0, prefix).every((bit, index) => bit === client[index]),
    );
    const texts = [textOf(client), ...(client.length === 32 ? [`::ffff:${textOf(client)}`] : [])];
    for (const text of texts) expect([blocks, text, check(text)]).toEqual([blocks, text, expected]);
    allowed += Number(expected);
  }
  expect(allowed).toBeGreaterThan(500);
  expect(allowed).toBeLessThan(2_500);
});

test('a block covers another exactly if it has all of its addresses', () => {
  const below = numbers(11);
  for (let round = 0; round < 3_000; round += 1) {
    const address = Array.from({ length: below(2) === 0 ? 32 : 128 }, () => below(2));
    const other = [...address];
    for (let flips = below(3); flips > 0; flips -= 1) other[below(other.length)]! ^= 1;
    const [outer, inner] = [below(address.length + 1), below(address.length + 1)];
    const expected = outer <= inner && address.slice(0, outer).every((bit, index) => bit === other[index]);
    const read = (bits: Bits, prefix: number) => readBlock(`${textOf(bits)}/${prefix}`)!;
    const asked = [textOf(address), outer, textOf(other), inner];
    expect([asked, covers([read(address, outer)], read(other, inner))]).toEqual([asked, expected]);
  }
});

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::1', '0:0:0:0:0:0:0:1/128'],
  ['2001:DB8::ff/32', '2001:db8:0:0:0:0:0:0/32'],
  ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ['::ffff:203.0.113.7/96', '0.0.0.0/0'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0:0:0:cb00:7107/128'],
  ['::/0', '0:0:0:0:0:0:0:0/0'],
])('%s is %s', (text, shown) => {
  expect(formatBlock(readBlock(text)!)).toBe(shown);
  expect(readBlock(shown)).toEqual(readBlock(text));
});

test.each([
  '',
  ' ',
  'localhost',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.07',
  '203.0.113.7/33',
  '203.0.113.7/',
  '203.0.113.7/08',
  '203.0.113.7/-1',
  '203.0.113.7/24/24',
  '::1/129',
  '::ffff:127.0.0.1/32',
  '::ffff:7f00:1/95',
  ':::1',
  'fe80::1%eth0',
  '203.0.113.7 ',
  '203.0.113.7\n',
])('%j is no block', (text) => {
  expect(readBlock(text)).toBeNull();
});

test('an address with a zone counts as the address; other texts are never allowed', () => {
  const check = compileBlocks(['::/0', '0.0.0.0/0']);
  expect(['fe80::1%eth0', '127.0.0.1', '::1'].map(check)).toEqual([true, true, true]);
  expect(['', 'unknown', '10.0.0.0/8', '1.2.3.4:80', '[::1]'].map(check)).toEqual(Array(5).fill(false));
});

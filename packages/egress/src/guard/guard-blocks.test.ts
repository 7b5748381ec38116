import { createGuard } from './guard.ts';

/**
 * The special blocks, copied from the registries independently of the code's own list:
 * https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, multicast and class E.
 */
const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
];
const specialV6 = [
  '::/128',
  '::1/128',
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:2::/48',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];
const publicV4 = ['1.0.0.0/24', '8.8.8.0/24', '11.0.0.0/8', '100.128.0.0/9', '172.32.0.0/12', '193.0.0.0/21'];

const perBlock = 200;
const guard = createGuard({ allowPrivate: false, allow: [] });
const isRefused = (host: string) => guard.judgeUrl(new URL(`https://${host}/`), true) !== null;
const isRefusedAnswer = (address: string) => guard.judgeAddresses('name.example', 443, [address]) !== null;

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
const random = seeded(20_260_101);
const randomBits = (bits: bigint): bigint => {
  let value = 0n;
  for (let index = 0n; index < bits; index += 1n) value = (value << 1n) | (random() < 0.5 ? 0n : 1n);
  return value;
};

/** The first, the last and random addresses of a block, as numbers. */
function addressesOf(base: bigint, free: bigint): bigint[] {
  const count = Math.min(perBlock, Number(1n << (free > 20n ? 20n : free)));
  return [base, base + (1n << free) - 1n, ...Array.from({ length: count }, () => base + randomBits(free))];
}

function inBlocks(blocks: readonly string[], width: bigint, read: (text: string) => bigint): bigint[] {
  return blocks.flatMap((block) => {
    const [base = '', bits] = block.split('/');
    return addressesOf(read(base), width - BigInt(bits!));
  });
}

const readV4 = (text: string): bigint =>
  text.split('.').reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
const bytesOf = (value: bigint): bigint[] => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n);
const dotted = (value: bigint): string => bytesOf(value).join('.');
const hex = (value: bigint): string => value.toString(16);

function readV6(text: string): bigint {
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const zeros = 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail)].reduce(
    (value, group) => (value << 16n) | BigInt(`0x${group}`),
    0n,
  );
}
const writeV6 = (value: bigint): string =>
  Array.from({ length: 8 }, (_, index) => hex((value >> BigInt(112 - 16 * index)) & 0xffffn)).join(':');

/** Every way to write an IPv4 address as the host of a URL (https://url.spec.whatwg.org/#concept-ipv4-parser). */
const urlSpellings: Record<string, (value: bigint) => string> = {
  'dotted decimal': dotted,
  'one number': String,
  'one hexadecimal number': (value) => `0x${hex(value)}`,
  'one octal number': (value) => `0${value.toString(8)}`,
  'hexadecimal parts': (value) =>
    bytesOf(value)
      .map((byte) => `0x${hex(byte)}`)
      .join('.'),
  'octal parts': (value) =>
    bytesOf(value)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  'two parts': (value) => `${value >> 24n}.${value & 0xff_ffffn}`,
  'a trailing dot': (value) => `${dotted(value)}.`,
  'full-width digits': (value) =>
    dotted(value).replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
};

/** Ways to carry an IPv4 address in an IPv6 one. */
const carriers: Record<string, (value: bigint) => string> = {
  'IPv4-mapped': (value) => `::ffff:${hex(value >> 16n)}:${hex(value & 0xffffn)}`,
  'IPv4-mapped, dotted': (value) => `::ffff:${dotted(value)}`,
  NAT64: (value) => `64:ff9b::${hex(value >> 16n)}:${hex(value & 0xffffn)}`,
  '6to4': (value) => `2002:${hex(value >> 16n)}:${hex(value & 0xffffn)}::1`,
};
/** Carriers that never lead to a public address. */
const deadCarriers: Record<string, (value: bigint) => string> = {
  'IPv4-compatible': (value) => `::${hex(value >> 16n)}:${hex(value & 0xffffn)}`,
  'IPv4-translated': (value) => `::ffff:0:${hex(value >> 16n)}:${hex(value & 0xffffn)}`,
  'local NAT64': (value) => `64:ff9b:1::${hex(value >> 16n)}:${hex(value & 0xffffn)}`,
};

const special = inBlocks(specialV4, 32n, readV4);
const open = inBlocks(publicV4, 32n, readV4);

describe.each(Object.entries(urlSpellings))('IPv4 as %s', (_, spell) => {
  test('is refused throughout the special blocks and accepted outside them', () => {
    expect(special.map(spell).filter((host) => !isRefused(host))).toEqual([]);
    expect(open.map(spell).filter(isRefused)).toEqual([]);
  });
});

describe.each(Object.entries(carriers))('IPv4 in IPv6 as %s', (_, spell) => {
  test('is judged by the IPv4 inside, in a URL and in a DNS answer', () => {
    expect(special.map(spell).filter((address) => !isRefused(`[${address}]`))).toEqual([]);
    expect(special.map(spell).filter((address) => !isRefusedAnswer(address))).toEqual([]);
    expect(open.map(spell).filter(isRefusedAnswer)).toEqual([]);
  });
});

test.each(Object.entries(deadCarriers))('IPv4 in IPv6 as %s is always refused', (_, spell) => {
  const addresses = [...special, ...open].map(spell);
  expect(addresses.filter((address) => !isRefusedAnswer(address))).toEqual([]);
});

test('IPv6 is refused throughout its special blocks, in every spelling', () => {
  const addresses = inBlocks(specialV6, 128n, readV6).map(writeV6);
  expect(addresses.filter((address) => !isRefusedAnswer(address))).toEqual([]);
  expect(addresses.filter((address) => !isRefused(`[${address.toUpperCase()}]`))).toEqual([]);
});

test('public IPv6 is accepted', () => {
  const addresses = inBlocks(['2606:4700::/32', '2a00:1450::/32', '2400:cb00::/32'], 128n, readV6).map(
    writeV6,
  );
  expect(addresses.filter(isRefusedAnswer)).toEqual([]);
});

test('a DNS answer is refused for one special address at any position among public ones', () => {
  const publics = ['8.8.8.8', '2606:4700::1111', '1.0.0.1'];
  for (const bad of special.slice(0, 500).map(dotted))
    for (let at = 0; at <= publics.length; at += 1)
      expect(guard.judgeAddresses('name.example', 443, publics.toSpliced(at, 0, bad))).not.toBeNull();
});

test('zones and texts that are no address are refused', () => {
  for (const address of ['fe80::1%eth0', '2606:4700::1%1', '', 'example.com', '1.2.3', '1.2.3.4.5', '::g'])
    expect([address, isRefusedAnswer(address)]).toEqual([address, true]);
});

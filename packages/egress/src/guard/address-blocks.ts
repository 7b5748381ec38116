import { BlockList, isIP, isIPv4 } from 'node:net';

/** A CIDR block. IPv4-mapped IPv6 addresses count as IPv4. */
export interface AddressBlock {
  readonly family: 4 | 6;
  /** The first address, as a number. */
  readonly first: bigint;
  /** The length of the prefix, in bits. */
  readonly prefix: number;
}

const bitsOf = { 4: 32, 6: 128 } as const;
const nameOf = { 4: 'ipv4', 6: 'ipv6' } as const;
/** Where IPv4 addresses are in IPv6: `::ffff:0:0/96` (RFC 4291, 2.5.5.2). */
const mapped = { first: 0xffffn << 32n, prefix: 96 };

/**
 * Reads an address or a CIDR block. Bits after the prefix are cleared, so `10.1.2.3/8` is `10.0.0.0/8`. Null for any
 * other text, for an address with a zone, and for an IPv4-mapped address with a prefix below 96, such as
 * `::ffff:127.0.0.1/32`, which would be `::/32` and hold no IPv4 address.
 */
export function readBlock(text: string): AddressBlock | null {
  const [, address = '', length] = /^([0-9a-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? [];
  const family = isIP(address);
  if (family !== 4 && family !== 6) return null;
  const prefix = length === undefined ? bitsOf[family] : Number(length);
  if (prefix > bitsOf[family]) return null;
  const written = toNumber(address);
  const first = cleared(written, prefix, bitsOf[family]);
  const isMapped = family === 6 && written >> 32n === mapped.first >> 32n;
  if (isMapped && prefix < mapped.prefix) return null;
  return isMapped
    ? { family: 4, first: first & 0xffff_ffffn, prefix: prefix - mapped.prefix }
    : { family, first, prefix };
}

/** The block as a text that `readBlock` reads: `203.0.113.0/24`, `2001:db8:0:0:0:0:0:0/32`. */
export function formatBlock(block: AddressBlock): string {
  return `${addressOf(block)}/${block.prefix}`;
}

/** Whether every address of `inner` is in one of the blocks. */
export function covers(blocks: readonly AddressBlock[], inner: AddressBlock): boolean {
  return blocks.some(
    ({ family, first, prefix }) =>
      family === inner.family &&
      prefix <= inner.prefix &&
      cleared(inner.first, prefix, bitsOf[family]) === first,
  );
}

/** Whether an address may use a credential. */
export type AddressCheck = (address: string) => boolean;

/**
 * Compiles stored blocks. An IPv4 client is recognised in either form, `203.0.113.7` or `::ffff:203.0.113.7`. A text that is
 * no address is never allowed, and `::/0` allows no IPv4 client.
 */
export function compileBlocks(texts: readonly string[]): AddressCheck {
  // One list per family, because an IPv6 block of Node's list may match IPv4 addresses too.
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const text of texts) {
    const block = readBlock(text);
    if (block === null) throw new Error(`not a block of addresses: ${text}`);
    lists[block.family].addSubnet(addressOf(block), block.prefix, nameOf[block.family]);
  }
  return (address) => {
    const block = readBlock(address.replace(/%.*$/, ''));
    if (block === null || block.prefix !== bitsOf[block.family]) return false;
    return lists[block.family].check(addressOf(block), nameOf[block.family]);
  };
}

function addressOf({ family, first }: AddressBlock): string {
  return family === 4 ? dotted(first) : grouped(first);
}

function cleared(address: bigint, prefix: number, bits: number): bigint {
  const rest = BigInt(bits - prefix);
  return (address >> rest) << rest;
}

/** The number of a valid address. */
function toNumber(address: string): bigint {
  if (isIPv4(address)) return joined(address.split('.').map(Number), 8n);
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return joined([...before, ...zeros, ...after], 16n);
}

/** The 16-bit groups of a part of an IPv6 address, whose end may be written as IPv4. */
function groupsOf(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function joined(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((sum, part) => (sum << bits) | BigInt(part), 0n);
}

function dotted(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');
}

function grouped(address: bigint): string {
  return [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n]
    .map((shift) => ((address >> shift) & 0xffffn).toString(16))
    .join(':');
}

import { BlockList, isIP } from 'node:net';

/**
 * IPv4 that is not the public internet: IANA's IPv4 Special-Purpose Address Registry, multicast and the former class E
 * (https://www.iana.org/assignments/iana-ipv4-special-registry).
 */
const registeredV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 ' +
  '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';

/**
 * Public addresses that answer from within a cloud: Azure's host agent (learn.microsoft.com, "What is IP address
 * 168.63.129.16"), the service endpoints of IBM Cloud (161.26.0.0/16, 166.8.0.0/14), and Google's private and
 * restricted access to its APIs.
 */
const cloudV4 = '168.63.129.16/32 161.26.0.0/16 166.8.0.0/14 199.36.153.4/30 199.36.153.8/30';
const cloudV6 = '2600:2d00:2:1000::/56 2600:2d00:2:2000::/56';

/** Private addresses where clouds serve metadata of their machines: AWS, Google, Oracle, Akamai, Scaleway. */
const metadata = blockList('fd00:ec2::/32 fd20:ce::/32 fd00:c1::/32 fd00:a9fe:a9fe::/48 fd00:42::42');

const specialV4 = `${registeredV4} ${cloudV4}`;

/**
 * The special blocks within public IPv6 (https://www.iana.org/assignments/iana-ipv6-special-registry), and those that
 * carry a special IPv4 address as their true destination: 6to4 (RFC 3056), NAT64 (RFC 6052) and IPv4-mapped.
 */
const specialV6 = `2001::/23 2001:db8::/32 2620:4f:8000::/48 3fff::/20 ${cloudV6} ${specialV4.split(' ').flatMap(carriersOf).join(' ')}`;

const special = blockList(`${specialV4} ${specialV6}`);

/** Global unicast, and the IPv4 carriers outside it. All other IPv6 is special. */
const publicV6 = blockList('2000::/3 64:ff9b::/96 ::ffff:0:0/96');

/** Loopback, RFC 1918 and unique local addresses, as developers' machines and networks use them. */
const privateBlocks = blockList('127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 ::1/128 fc00::/7');

/** Whether `address` is anything but public unicast. Text that is no address counts as special. */
export function isSpecial(address: string): boolean {
  if (isIP(address) === 4) return special.check(address, 'ipv4');
  return !liesIn(address, publicV6) || liesIn(address, special);
}

/** Whether `address` is loopback or in a private network. Addresses of cloud metadata do not count as private. */
export function isPrivate(address: string): boolean {
  return liesIn(address, privateBlocks) && !liesIn(address, metadata);
}

/**
 * Whether `address` lies in one of the blocks. IPv4-mapped addresses count as IPv4. False for text that is no address.
 */
export function liesIn(address: string, blocks: BlockList): boolean {
  if (isIP(address) === 4) return blocks.check(address, 'ipv4');
  return isIP(address) === 6 && !address.includes('%') && blocks.check(address, 'ipv6');
}

/** Reads blocks such as `10.0.0.0/8`, and single addresses, separated by spaces. Throws on anything else. */
export function blockList(text: string): BlockList {
  const list = new BlockList();
  for (const block of text.split(' ')) {
    const [base = '', bits] = block.split('/');
    const family = isIP(base) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(base, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return list;
}

function carriersOf(block: string): string[] {
  const [base = '', bits] = block.split('/');
  const hex = base.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  const [high, low] = [hex.slice(0, 2).join(''), hex.slice(2).join('')];
  return [
    `2002:${high}:${low}::/${16 + Number(bits)}`,
    `64:ff9b::${high}:${low}/${96 + Number(bits)}`,
    `::ffff:${high}:${low}/${96 + Number(bits)}`,
  ];
}

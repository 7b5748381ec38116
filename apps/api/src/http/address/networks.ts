import { isIPv6 } from 'node:net';

/** The network of a client, in two sizes. */
export interface Networks {
  /** The network of one site: a /48 of IPv6 (RFC 6177), a /24 of IPv4. */
  readonly wide: string;
  /** The network of one client: a /64 of IPv6, an address of IPv4. */
  readonly narrow: string;
}

/** The networks of a client's address. An IPv4 address written as IPv6 (`::ffff:`) counts as IPv4. */
export function networksOf(address: string): Networks {
  if (!isIPv6(address)) return ofIPv4(address);
  if (/^::ffff:[\d.]+$/i.test(address)) return ofIPv4(address.slice('::ffff:'.length));
  const [head = '', tail = ''] = address.split('::');
  const start = groupsOf(head);
  const end = groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  const groups = [...start, ...zeros, ...end];
  return { wide: groups.slice(0, 3).join(':'), narrow: groups.slice(0, 4).join(':') };
}

/**
 * The network that counts as one where nobody has to log in: an IPv4 address, or the IPv6 network of a whole site, because a
 * site may choose among 65,536 narrow ones.
 */
export function networkOf(address: string): string {
  const { wide, narrow } = networksOf(address);
  return narrow.includes('.') ? narrow : wide;
}

function ofIPv4(address: string): Networks {
  return { wide: address.split('.').slice(0, 3).join('.'), narrow: address };
}

/** The groups of an IPv6 address without leading zeros, so that each has one spelling. */
function groupsOf(part: string): string[] {
  return part
    .split(':')
    .filter((group) => group !== '')
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}

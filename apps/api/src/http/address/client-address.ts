import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

/**
 * The client's address behind this many trusted proxies: the same as Express's `request.ip`, but without the port that some
 * proxies append.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const direct = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (trustedProxies === 0 || typeof forwarded !== 'string') return direct;
  const named = forwarded.split(',').map((one) => one.trim());
  return withoutPort(named[Math.max(0, named.length - trustedProxies)] || direct);
}

/** `192.0.2.7` of `192.0.2.7:1234`, `2001:db8::1` of `[2001:db8::1]:443` and of `[2001:db8::1]`. Any other text stays. */
function withoutPort(text: string): string {
  const [, v4 = ''] = /^([\d.]+):\d+$/.exec(text) ?? [];
  if (isIPv4(v4)) return v4;
  const [, v6 = ''] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  return isIP(v6) === 6 ? v6 : text;
}

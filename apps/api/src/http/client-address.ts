import type { IncomingMessage } from 'node:http';

/** The client's address behind this many trusted proxies: the same as Express's `request.ip`. */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const direct = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (trustedProxies === 0 || typeof forwarded !== 'string') return direct;
  const named = forwarded.split(',').map((one) => one.trim());
  return named[Math.max(0, named.length - trustedProxies)] || direct;
}

import type { IncomingMessage } from 'node:http';

/** The pattern of the page that Express matched, or null if it matched none. */
export function pageOf(request: IncomingMessage): string | null {
  const { route } = request as { readonly route?: { readonly path?: unknown } };
  return typeof route?.path === 'string' ? route.path : null;
}

import type { ConsoleMessage, Page, Request } from 'playwright-core';

/** What a page must never do, as it was seen. */
export interface Guard {
  /** Throws, with all that was seen, where there is something. */
  check(): void;
}

/** An answer of 4xx or 5xx is told by Chromium as an error, but is one of the api's ordinary answers. */
const answers = /^Failed to load resource: the server responded with a status of/;
/** The service is away: tests do that on purpose. */
const outages =
  /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED)/;

/**
 * Watches for errors on the console (a breach of the Content-Security-Policy is one), exceptions that nobody caught, and
 * requests to another host.
 */
export function guard(page: Page, serviceUrl: string): Guard {
  const seen: string[] = [];
  const { origin } = new URL(serviceUrl);
  page.on('console', (message: ConsoleMessage) => {
    const text = message.text();
    if (message.type() === 'error' && !answers.test(text) && !outages.test(text))
      seen.push(`console: ${text}`);
  });
  page.on('pageerror', (error) => seen.push(`exception: ${error.stack ?? error.message}`));
  page.on('request', (request: Request) => {
    const url = new URL(request.url());
    const isOurs = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:';
    if (!isOurs) seen.push(`request to ${url.href}`);
  });
  return {
    check() {
      if (seen.length > 0) throw new Error(`the page did what it must not:\n${seen.join('\n')}`);
    },
  };
}

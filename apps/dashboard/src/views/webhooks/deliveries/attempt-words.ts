/** One attempt in words: the event and advice; the advice is null if nothing needs doing. */
export interface AttemptWords {
  readonly what: string;
  readonly advice: string | null;
}

/** The reason for a missing answer, by the error class from the api. */
const byError: Readonly<Record<string, AttemptWords>> = {
  blocked: {
    what: 'Not sent: the URL does not resolve to a public address.',
    advice:
      'Use an https URL whose host has a public address. Private, loopback and link-local addresses are blocked.',
  },
  dns: {
    what: 'The host name could not be resolved.',
    advice: 'Check the host name in the URL, and that its DNS record exists and is public.',
  },
  refused: {
    what: 'Connection refused.',
    advice:
      'Check that your server is running, that the port in the URL is correct, and that no firewall blocks it.',
  },
  tls: {
    what: 'The TLS connection failed.',
    advice:
      'Check that the certificate matches this host, has not expired, and is served with its full chain.',
  },
  timeout: {
    what: 'No complete response within 10 seconds.',
    advice: 'Store the event, respond with 200, then process it.',
  },
  reset: {
    what: 'The connection closed before the response was complete.',
    advice: 'Check the log of your server, or of the proxy in front of it, at this time.',
  },
  protocol: {
    what: 'The response was not valid HTTP.',
    advice: 'Check that the port in the URL belongs to your web server.',
  },
  'too-large': {
    what: 'The response headers were too large.',
    advice: 'Respond with a status and few headers. No body is needed.',
  },
  aborted: { what: 'Notify stopped during this attempt.', advice: null },
  'secret-unreadable': {
    what: 'Not sent: the signing secret can no longer be read.',
    advice: 'Rotate the secret, then configure the new one on your endpoint.',
  },
};

/** Answers with an explanation beyond "not a 2xx". */
const byStatus: Readonly<Record<number, string>> = {
  401: 'Your server requires authentication. Allow these requests, and verify their signatures instead.',
  403: 'Your server, or a firewall in front of it, rejects these requests. Allow them, and verify their signatures.',
  404: 'Your server found nothing at this path. Check the path in the URL.',
  405: 'Your server does not accept POST at this path. Check the path in the URL.',
  410: '410 means that this endpoint is gone for good, so Notify disabled the webhook.',
  413: 'Your server rejects a body of this size. Events are smaller than 10 KB.',
  415: 'Your server does not accept application/json at this path.',
  429: 'Your server is rate limiting. Notify honours Retry-After up to one hour.',
};

/**
 * Describes the outcome of an attempt and gives advice. `status` is null without an answer; then `error` is the class
 * of the failure.
 */
export function explainAttempt({
  status,
  error,
}: {
  status: number | null;
  error: string | null;
}): AttemptWords {
  if (status === null) return byError[error ?? ''] ?? { what: 'No response.', advice: null };
  const what = `Responded with ${status}.`;
  if (status >= 200 && status < 300) return { what, advice: null };
  const advice = byStatus[status] ?? byHundred(status);
  return { what, advice };
}

function byHundred(status: number): string {
  if (status >= 500) return 'Your server, or a proxy in front of it, failed. Check its log.';
  if (status >= 400) return 'Your server rejected the event. Check its log or its response.';
  return 'Redirects are not followed. Set the webhook to the final URL.';
}

/** An attempt in two or three words, for a line of a list: "500", "timed out". */
export function attemptResult({ status, error }: { status: number | null; error: string | null }): string {
  return status === null ? (shortErrors[error ?? ''] ?? 'no response') : String(status);
}

const shortErrors: Readonly<Record<string, string>> = {
  blocked: 'address blocked',
  dns: 'host not found',
  refused: 'connection refused',
  tls: 'TLS failed',
  timeout: 'timed out',
  reset: 'connection reset',
  protocol: 'invalid HTTP',
  'too-large': 'response too large',
  aborted: 'interrupted',
  'secret-unreadable': 'secret unreadable',
};

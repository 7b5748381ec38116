/** One attempt in words: what happened, and what the reader can do about it; null where nothing needs doing. */
export interface AttemptWords {
  readonly what: string;
  readonly advice: string | null;
}

/** What prevented an answer, by the class that the api tells. */
const byError: Readonly<Record<string, AttemptWords>> = {
  blocked: {
    what: 'Nothing was sent: the URL does not lead to a public address.',
    advice:
      'Use an https URL whose host has a public address; private, loopback and link-local ones are refused.',
  },
  dns: {
    what: 'The host name could not be resolved.',
    advice: 'Check the host name in the URL, and that its DNS record exists and is public.',
  },
  refused: {
    what: 'Nothing accepted the connection.',
    advice:
      'Check that your server runs, that the port in the URL is right, and that no firewall is in the way.',
  },
  tls: {
    what: 'No secure connection could be made.',
    advice: 'Check that the certificate is for this host, not expired, and served with its whole chain.',
  },
  timeout: {
    what: 'There was no complete answer within 10 seconds.',
    advice: 'Answer with 200 as soon as the event is stored, and work on it afterwards.',
  },
  reset: {
    what: 'The connection broke off before the answer was complete.',
    advice: 'Look into the log of your server, or of the proxy in front of it, at this moment.',
  },
  protocol: {
    what: 'What came back was not valid HTTP.',
    advice: 'Check that the port in the URL is the one of your web server.',
  },
  'too-large': {
    what: 'The headers of the answer were too large.',
    advice: 'Answer with a status and few headers; a body is not needed.',
  },
  aborted: { what: 'This service stopped while it posted.', advice: null },
  'secret-unreadable': {
    what: 'Nothing was sent: the signing secret cannot be read any more.',
    advice: 'Rotate the secret, and give the new one to your receiver.',
  },
};

/** Answers with something more to say than that they are no 2xx. */
const byStatus: Readonly<Record<number, string>> = {
  401: 'Your server asks for a login. Let these requests in, and check their signature instead.',
  403: 'Your server, or a firewall in front of it, refuses these requests. Let them in, and check their signature.',
  404: 'Your server has nothing at this path. Check the path in the URL.',
  405: 'Your server does not take POST at this path. Check the path in the URL.',
  410: 'With 410 your server says that nobody will ever answer here, so the webhook was disabled.',
  413: 'Your server takes no body of this size. An event has less than 10 KB.',
  415: 'Your server does not take application/json at this path.',
  429: 'Your server asks to be left alone for a while, and is: Retry-After is honoured up to one hour.',
};

/** Says what came of an attempt and what to do. `status` is null when no answer came; then `error` is its class. */
export function explainAttempt({
  status,
  error,
}: {
  status: number | null;
  error: string | null;
}): AttemptWords {
  if (status === null) return byError[error ?? ''] ?? { what: 'No answer came.', advice: null };
  const what = `Your server answered ${status}.`;
  if (status >= 200 && status < 300) return { what, advice: null };
  const advice = byStatus[status] ?? byHundred(status);
  return { what, advice };
}

function byHundred(status: number): string {
  if (status >= 500)
    return 'Something failed in your server, or in a proxy in front of it. Its log says what.';
  if (status >= 400)
    return 'Your server did not accept the event. Its log, or the answer below, may say why.';
  return 'Redirects are not followed. Change the webhook to the URL that finally answers.';
}

/** An attempt in two or three words, for a line of a list: "500", "timed out". */
export function attemptResult({ status, error }: { status: number | null; error: string | null }): string {
  return status === null ? (shortErrors[error ?? ''] ?? 'no answer') : String(status);
}

const shortErrors: Readonly<Record<string, string>> = {
  blocked: 'address refused',
  dns: 'name not found',
  refused: 'connection refused',
  tls: 'TLS failed',
  timeout: 'timed out',
  reset: 'connection broke',
  protocol: 'not HTTP',
  'too-large': 'answer too large',
  aborted: 'stopped',
  'secret-unreadable': 'no secret',
};

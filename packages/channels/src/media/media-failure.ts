import type { Outcome } from '@notify/core';
import type { MediaFailure } from '@notify/egress';

const errorCode = 'media-unavailable';

/**
 * The outcome when a tenant's file could not be fetched. Nothing was sent to the provider. A failure of the server or
 * the network is retried, anything else is refused with a text for the tenant.
 */
export function outcomeOfMediaFailure(failure: MediaFailure): Outcome {
  const text = `The file could not be fetched (${failure.error}): ${failure.text}`;
  switch (failure.error) {
    case 'too-large':
      return { kind: 'rejected', errorCode: 'media-too-large', text: `Too large: ${failure.text}` };
    case 'blocked':
    case 'redirects':
    case 'coding':
      return { kind: 'rejected', errorCode, text };
    case 'http-status':
      return { kind: mayGetBetter(failure.status) ? 'retry' : 'rejected', errorCode, text };
    case 'dns':
    case 'refused':
    case 'tls':
    case 'timeout':
    case 'reset':
    case 'protocol':
    case 'aborted':
    case 'proxy':
    case 'spool':
      return { kind: 'retry', errorCode, text };
  }
}

function mayGetBetter(status: number | null): boolean {
  return status === null || status >= 500 || [408, 425, 429].includes(status);
}

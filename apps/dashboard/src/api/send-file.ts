import type { Transport } from '../session/session.ts';

/**
 * Sends a file as the body of a request, and tells how many bytes of it have left. `fetch` cannot tell that. Rejects as `fetch` does:
 * with an `AbortError` if the signal of the request fires.
 */
export function sendFile(file: File, onProgress: (sentBytes: number) => void): Transport {
  return (request) =>
    new Promise((resolve, reject) => {
      const { signal } = request;
      const exchange = new XMLHttpRequest();
      const giveUp = (): void => exchange.abort();
      exchange.open(request.method, request.url);
      for (const [name, value] of request.headers) exchange.setRequestHeader(name, value);
      exchange.upload.onprogress = ({ loaded }) => onProgress(loaded);
      exchange.onload = () => resolve(answerOf(exchange));
      exchange.onerror = () => reject(new TypeError('The request failed.'));
      exchange.onabort = () => reject(new DOMException('The upload was given up.', 'AbortError'));
      exchange.onloadend = () => signal.removeEventListener('abort', giveUp);
      if (signal.aborted) {
        exchange.onabort(new ProgressEvent('abort'));
        return;
      }
      signal.addEventListener('abort', giveUp);
      exchange.send(file);
    });
}

function answerOf(exchange: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['Content-Type', 'Retry-After']) {
    const value = exchange.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(exchange.responseText, { status: exchange.status, headers });
}

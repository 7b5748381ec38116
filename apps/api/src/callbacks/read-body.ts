import type { IncomingMessage } from 'node:http';
import type { Place } from '../admission/admission.ts';
import { readInPlace } from '../http/body.ts';
import { Problem } from '../http/problem.ts';

/** Reads the body of a callback whole. */
export type BodyReader = (request: IncomingMessage, place: Pick<Place, 'away' | 'hold'>) => Promise<Buffer>;

/** What any number of strangers may send slowly at the same time. A provider's usual callback has a few KB. */
const usualBytes = 256 * 1024;
/** 1 MB of text as a form or as JSON spells it. Meta sends up to 3 MB (https://developers.facebook.com/docs/whatsapp/webhooks). */
const maxBytes = 4 * 1_048_576;
const largeAtOnce = 8;

/**
 * Makes the reader of a process. A callback with long texts is accepted, and the texts are cut where they are stored. A
 * refusal would lose more: Meta puts many messages into one callback, repeats it until it gives up, and drops all of them.
 *
 * A body is read before its sender is known, so the process reads at most 8 bodies above 256 KB at once. One more is
 * `rate-limited`, and the provider repeats it. Throws `too-large` above 4 MB, and above 256 KB if the length is not
 * declared.
 */
export function createBodyReader(): BodyReader {
  let reading = 0;
  return async (request, place) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared <= usualBytes || declared > maxBytes) return readInPlace(request, usualBytes, place);
    if (reading >= largeAtOnce) throw new Problem('rate-limited', { retryAfterSeconds: 1 });
    reading += 1;
    try {
      return await readInPlace(request, maxBytes, place);
    } finally {
      reading -= 1;
    }
  };
}

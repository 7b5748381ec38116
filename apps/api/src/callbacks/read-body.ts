import type { IncomingMessage } from 'node:http';
import { createSharedPlaces } from '@notify/turns';
import type { Place } from '../admission/admission.ts';
import { readInPlace } from '../http/input/body.ts';
import { Problem } from '../problems/problem.ts';

/** Reads the body of a callback whole. `party` is whom it belongs to, as far as memory knows. */
export type BodyReader = (
  request: IncomingMessage,
  place: Pick<Place, 'away' | 'hold'>,
  party: string,
) => Promise<Buffer>;

/** What any number of strangers may send slowly at the same time. A provider's usual callback has a few KB. */
const usualBytes = 256 * 1024;
/** 1 MB of text as a form or as JSON spells it. Meta sends up to 3 MB (https://developers.facebook.com/docs/whatsapp/webhooks). */
const maxBytes = 4 * 1_048_576;
/** Bodies above 256 KB that are read at once. Their bytes are bounded by the budget of large bodies. */
const largeAtOnce = { total: 64, perOwner: 8, reserved: 16 };

/**
 * Makes the reader of a process. A callback with long texts is accepted, and the texts are cut where they are stored. A
 * refusal would lose more: Meta puts many messages into one callback, repeats it until it gives up, and drops all of them.
 *
 * A body is read before its sender is known, so the process reads at most 64 bodies above 256 KB at once, 8 of one tenant or of
 * one network. One more is `rate-limited`, and the provider repeats it. When a party with fewer needs a place, the one that has
 * taken longest gives way and is `unavailable`. Throws `too-large` above 4 MB, and above 256 KB if the length is not declared.
 */
export function createBodyReader(): BodyReader {
  const places = createSharedPlaces(largeAtOnce);
  return async (request, place, party) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared <= usualBytes || declared > maxBytes) return readInPlace(request, usualBytes, place);
    let gaveWay = false;
    const large = places.enter(party, () => (gaveWay = true));
    if (typeof large === 'string') throw new Problem('rate-limited', { retryAfterSeconds: 1 });
    const kept = {
      away: <T>(wait: () => Promise<T>) => place.away(wait),
      hold: (bytes: number) => !gaveWay && place.hold(bytes),
    };
    try {
      return await readInPlace(request, maxBytes, kept);
    } finally {
      large.leave();
    }
  };
}

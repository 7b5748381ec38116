import { type Decoded, decodePdu } from './decode.ts';
import { headerBytes } from './pdu.ts';

/** What a stream gave. After `broken` its frames are lost, so nothing more is read. */
export type Frame = Decoded | { readonly kind: 'broken'; readonly text: string };

/** Reads the PDUs of one stream as its octets arrive. */
export interface PduReader {
  /** The PDUs that end in this chunk, in their order. */
  push(chunk: Buffer): readonly Frame[];
  /** Octets that are held because their PDU has not ended. */
  readonly heldBytes: number;
}

/** The longest PDU that is read, in octets: a `message_payload` of 65,535 fits. */
export const maxPduBytes = 131_072;

/** The end of the length field. */
const lengthBytes = 4;

/**
 * Makes a reader. It holds at most one unfinished PDU of `maxBytes`, however the chunks are cut, and takes no memory for a PDU that is
 * longer.
 */
export function createPduReader(maxBytes = maxPduBytes): PduReader {
  const held = createHolder();
  let isBroken = false;

  /** Called with the length field alone, and again with the whole PDU. */
  function take(octets: Buffer): Frame | null {
    const length = octets.readUInt32BE(0);
    isBroken = length < headerBytes || length > maxBytes;
    if (!isBroken && octets.length === lengthBytes) {
      held.await(length);
      return null;
    }
    held.clear();
    return isBroken ? { kind: 'broken', text: `a PDU of ${length} octets` } : decodePdu(octets);
  }

  return {
    push(chunk) {
      const frames: Frame[] = [];
      for (let at = 0; at < chunk.length && !isBroken;) {
        at += held.fill(chunk, at);
        const octets = held.whole();
        const frame = octets === null ? null : take(octets);
        if (frame !== null) frames.push(frame);
      }
      return frames;
    },
    get heldBytes() {
      return held.used();
    },
  };
}

/** Octets that are awaited: a length field, then the PDU. */
interface Holder {
  used(): number;
  /** Takes from the chunk what is missing. Returns how much that was. */
  fill(chunk: Buffer, at: number): number;
  /** All that is awaited; null until it is there. */
  whole(): Buffer | null;
  /** Awaits more octets, of which some are there. */
  await(length: number): void;
  /** Forgets all, and awaits a length field. */
  clear(): void;
}

function createHolder(): Holder {
  let octets = Buffer.alloc(headerBytes);
  let used = 0;
  let wanted = lengthBytes;
  return {
    used: () => used,
    fill(chunk, at) {
      const taken = chunk.copy(octets, used, at, Math.min(chunk.length, at + wanted - used));
      used += taken;
      return taken;
    },
    whole: () => (used === wanted ? octets.subarray(0, used) : null),
    await(length) {
      wanted = length;
      if (octets.length >= length) return;
      const longer = Buffer.allocUnsafe(length);
      octets.copy(longer, 0, 0, used);
      octets = longer;
    },
    clear() {
      used = 0;
      wanted = lengthBytes;
      if (octets.length > headerBytes) octets = Buffer.alloc(headerBytes);
    },
  };
}

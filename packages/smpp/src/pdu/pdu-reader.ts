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
  let held = Buffer.alloc(headerBytes);
  let used = 0;
  let wanted = lengthBytes;
  let isBroken = false;

  /** Takes what is missing from the chunk. Returns how much that was. */
  function fill(chunk: Buffer, at: number): number {
    const taken = chunk.copy(held, used, at, Math.min(chunk.length, at + wanted - used));
    used += taken;
    return taken;
  }

  function begin(length: number): void {
    wanted = length;
    if (held.length >= length) return;
    const longer = Buffer.allocUnsafe(length);
    held.copy(longer, 0, 0, used);
    held = longer;
  }

  function startOver(): void {
    used = 0;
    wanted = lengthBytes;
    if (held.length > headerBytes) held = Buffer.alloc(headerBytes);
  }

  function push(chunk: Buffer): readonly Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    while (at < chunk.length && !isBroken) {
      at += fill(chunk, at);
      if (used < wanted) break;
      const length = held.readUInt32BE(0);
      if (used > lengthBytes) {
        frames.push(decodePdu(held.subarray(0, length)));
        startOver();
      } else if (length < headerBytes || length > maxBytes) {
        isBroken = true;
        startOver();
        frames.push({ kind: 'broken', text: `a PDU of ${length} octets` });
      } else {
        begin(length);
      }
    }
    return frames;
  }

  return {
    push,
    get heldBytes() {
      return used;
    },
  };
}

/** The same bytes in chunks of `chunkBytes` each, but for the last, which may be shorter. Holds little more than a chunk and a piece. */
export async function* inChunks(
  pieces: AsyncIterable<Uint8Array>,
  chunkBytes: number,
): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes < chunkBytes) continue;
    const whole = Buffer.concat(held);
    const rest = heldBytes % chunkBytes;
    for (let at = 0; at < heldBytes - rest; at += chunkBytes) yield whole.subarray(at, at + chunkBytes);
    // A copy, so that the large buffer can go.
    held = rest === 0 ? [] : [Buffer.from(whole.subarray(heldBytes - rest))];
    heldBytes = rest;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}

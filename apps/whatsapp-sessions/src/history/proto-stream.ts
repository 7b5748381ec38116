/** A field of a streamed protobuf message: its number, and either the length of its bytes or its numeric value. */
export type Field =
  | { readonly number: number; readonly length: number; readonly value: null }
  | { readonly number: number; readonly length: null; readonly value: number };

/**
 * Reads protobuf messages from a stream of bytes and keeps only the fields that are read. Skipped fields do not stay in
 * memory (protobuf.dev/programming-guides/encoding). Every method throws if the bytes end early or are invalid.
 */
export class ProtoStream {
  private readonly pieces: AsyncIterator<Uint8Array, undefined>;
  private readonly maxBytes: number;
  private piece: Buffer = Buffer.alloc(0);
  /** The index of the next byte in `piece`, and the number of bytes in earlier pieces. */
  private at = 0;
  private before = 0;

  /** Throws after more than `maxBytes` in all. */
  constructor(pieces: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.pieces = pieces[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
    this.maxBytes = maxBytes;
  }

  /**
   * Calls `take` for each field of a message of that length, or up to the end. `take` may read the field's bytes;
   * unread bytes are skipped.
   */
  async fields(length: number, take: (field: Field) => Promise<void>): Promise<void> {
    const end = this.position + length;
    while (this.position < end && (length !== Infinity || (await this.hasMore()))) {
      const field = await this.field();
      const after = this.position + (field.length ?? 0);
      if (after > end) throw new Error('a field is longer than its message');
      await take(field);
      await this.skip(after - this.position);
    }
  }

  async bytes(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    await this.pass(length, (part) => parts.push(Buffer.from(part)));
    return Buffer.concat(parts);
  }

  private get position(): number {
    return this.before + this.at;
  }

  private async field(): Promise<Field> {
    const tag = await this.varint();
    const [number, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === 0) return { number, length: null, value: await this.varint() };
    const length = wire === 2 ? await this.varint() : wire === 1 ? 8 : wire === 5 ? 4 : null;
    if (length === null) throw new Error(`no such wire type: ${wire}`);
    return { number, length, value: null };
  }

  private async varint(): Promise<number> {
    let value = 0;
    for (let scale = 1, bytes = 1; bytes <= 10; scale *= 128, bytes += 1) {
      if (this.at === this.piece.length && !(await this.hasMore())) throw ended();
      const byte = this.piece[this.at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new Error('a number is too long');
  }

  private skip(length: number): Promise<void> {
    return this.pass(length, () => undefined);
  }

  private async pass(length: number, tell: (part: Buffer) => void): Promise<void> {
    for (let left = length; left > 0;) {
      if (!(await this.hasMore())) throw ended();
      const part = this.piece.subarray(this.at, this.at + left);
      tell(part);
      this.at += part.length;
      left -= part.length;
    }
  }

  private async hasMore(): Promise<boolean> {
    while (this.at === this.piece.length) {
      const next = await this.pieces.next();
      if (next.done === true) return false;
      const { buffer, byteOffset, byteLength } = next.value;
      this.before += this.piece.length;
      this.piece = Buffer.from(buffer, byteOffset, byteLength);
      this.at = 0;
      if (this.before + this.piece.length > this.maxBytes) throw new Error('a history is too long');
    }
    return true;
  }
}

function ended(): Error {
  return new Error('a history ends early');
}

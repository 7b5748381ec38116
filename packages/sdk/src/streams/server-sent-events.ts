/** What a server says between two empty lines. */
export interface Block {
  /** The last `id` of the stream so far; empty before the first. */
  readonly id: string;
  /** The name of the event; empty unless given. */
  readonly event: string;
  /** The lines of data; null if there were none. */
  readonly data: string | null;
}

/** Parses a stream of server-sent events (HTML Living Standard, 9.2.6). */
export interface BlockParser {
  /** Takes the next bytes, cut anywhere. Returns the blocks that they complete, but not those without a field. */
  push(bytes: Uint8Array): Block[];
}

/** Begins before the first byte. A block that the stream's end cuts off is never returned. */
export function createBlockParser(): BlockParser {
  const decoder = new TextDecoder();
  let line = '';
  let endedByCr = false;
  let lastId = '';
  let fields: { id: string | null; event: string; data: string[] | null } | null = null;

  function take(text: string): Block | null {
    if (text === '') return dispatch();
    const colon = text.indexOf(':');
    if (colon === 0) return null;
    const name = colon < 0 ? text : text.slice(0, colon);
    const rest = colon < 0 ? '' : text.slice(colon + 1);
    setField(name, rest.startsWith(' ') ? rest.slice(1) : rest);
    return null;
  }

  function setField(name: string, value: string): void {
    fields ??= { id: null, event: '', data: null };
    if (name === 'data') (fields.data ??= []).push(value);
    else if (name === 'event') fields.event = value;
    else if (name === 'id' && !value.includes('\0')) fields.id = value;
  }

  function dispatch(): Block | null {
    if (fields === null) return null;
    lastId = fields.id ?? lastId;
    const { event, data } = fields;
    fields = null;
    return { id: lastId, event, data: data?.join('\n') ?? null };
  }

  return {
    push(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      if (text === '') return [];
      // A CR ends its line at once. A LF after it belongs to it, also in the next chunk.
      if (endedByCr && text.startsWith('\n')) text = text.slice(1);
      endedByCr = text === '' ? false : text.endsWith('\r');
      const lines = text.split(/\r\n|\r|\n/);
      const blocks: Block[] = [];
      for (const [index, piece] of lines.entries()) {
        line += piece;
        if (index === lines.length - 1) break;
        const block = take(line);
        line = '';
        if (block !== null) blocks.push(block);
      }
      return blocks;
    },
  };
}

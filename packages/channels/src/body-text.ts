const byteOrderMark = '\ufeff';

/**
 * The text of a body, without its byte order mark. The mark says how the body is written (Unicode Standard, 23.8): UTF-8 or,
 * as some gateways answer, UTF-16 in either order. Without one it is UTF-8.
 */
export function bodyText(body: Buffer): string {
  const [first, second] = body;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(body);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(body);
  return withoutMark(body.toString('utf8'));
}

/** A text without a byte order mark at its beginning, which is not part of it (RFC 2781, section 3.2). */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** The body in UTF-8: the same bytes, unless a byte order mark says that they are something else. */
export function inUtf8(body: Buffer): Buffer {
  const isUtf16 = (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
  return isUtf16 ? Buffer.from(bodyText(body)) : body;
}

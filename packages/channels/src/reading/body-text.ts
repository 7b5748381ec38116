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

/** The body in UTF-8, without its byte order mark: the same bytes, unless the mark says that they are UTF-16. */
export function inUtf8(body: Buffer): Buffer {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return body.subarray(3);
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 ? Buffer.from(bodyText(body)) : body;
}

import { cutUtf8 } from '@notify/core';

/**
 * The most bytes of a name in UTF-8. File systems take 255, and percent-encoded they are three times as many: proxies refuse
 * long headers.
 */
const maxBytes = 200;
/** The end of a name after its last dot, as far as it can be one. */
const ending = /\.[^.\s]{1,15}$/u;

/**
 * A `Content-Disposition` that has browsers save the file under this name (RFC 6266). The plain name is for old clients;
 * the other is the exact name in UTF-8 (RFC 8187, 3.2). A name never leads into a folder: it keeps no separators and no
 * control characters, and no marks that turn the direction of a text and so hide its end. A long one is cut before its
 * ending.
 */
export function attachment(name: string): string {
  const safe = cut(
    name
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
      .replaceAll(/[/\\]/g, '_'),
  );
  const plain = safe.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const quoted = `attachment; filename="${plain}"`;
  return plain === safe ? quoted : `${quoted}; filename*=UTF-8''${extValue(safe)}`;
}

function cut(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const end = ending.exec(name)?.[0] ?? '';
  return cutUtf8(name, maxBytes - Buffer.byteLength(end)) + end;
}

/** Percent-encodes all but `attr-char` of RFC 8187. */
function extValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

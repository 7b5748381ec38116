/**
 * The file name of a `Content-Disposition` (RFC 6266). The extended form (RFC 8187) wins over the plain one, whose bytes are taken for
 * UTF-8 where they are. Null without one, and if it cannot be decoded.
 */
export function filenameIn(header: string): string | null {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decoded(extended);
  const found = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header);
  if (found === null) return null;
  const name = found[1]?.replaceAll(/\\(.)/g, '$1') ?? found[2]!;
  // Node reads headers as Latin-1.
  const bytes = Buffer.from(name, 'latin1');
  return utf8(bytes) ?? name;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

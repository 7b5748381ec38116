import { isUtf8 } from 'node:buffer';
import { fileTypeFromBuffer } from 'file-type';

/** How many first bytes of a file are examined. */
export const sniffedBytes = 4_100;

/** Formats that count as the more common format they extend. */
const kindOf: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'audio/x-m4a': 'audio/mp4',
};

/**
 * The MIME type of a file by its first bytes only, never by the claim of a server or a name. A file that no detector
 * knows is `text/plain` if it reads as text, else `application/octet-stream`. An empty file is `application/x-empty`.
 */
export async function sniff(head: Uint8Array): Promise<string> {
  if (head.length === 0) return 'application/x-empty';
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return isText(head) ? 'text/plain' : 'application/octet-stream';
  return kindOf[found.mime] ?? found.mime;
}

/** Whether the bytes are UTF-8 without control characters. The last character may be cut off. */
function isText(head: Uint8Array): boolean {
  const cut = [0, 1, 2, 3].some((missing) => isUtf8(head.subarray(0, head.length - missing)));
  return cut && !head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte));
}

import { isUtf8 } from 'node:buffer';
import { fileTypeFromBuffer } from 'file-type';

/** How many of a file's first bytes are looked at. */
export const sniffedBytes = 4_100;

/** Names of formats that are kinds of a more common one, and are taken as it. */
const kindOf: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'audio/x-m4a': 'audio/mp4',
};

/**
 * The MIME type of a file, from its first bytes and nothing else: never what a server or a name claims. What no detector
 * knows is `text/plain` where it reads as text, else `application/octet-stream`; nothing at all is `application/x-empty`.
 */
export async function sniff(head: Uint8Array): Promise<string> {
  if (head.length === 0) return 'application/x-empty';
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return isText(head) ? 'text/plain' : 'application/octet-stream';
  return kindOf[found.mime] ?? found.mime;
}

/** UTF-8 without control characters; its last character may be cut off. */
function isText(head: Uint8Array): boolean {
  const cut = [0, 1, 2, 3].some((missing) => isUtf8(head.subarray(0, head.length - missing)));
  return cut && !head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte));
}

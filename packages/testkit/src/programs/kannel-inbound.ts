import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { demandProgram } from './programs.ts';

/** An SMS that a person writes to Kannel's SMS centre. `to` is a short code or a number of the gateway. */
export interface KannelInbound {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** UCS-2 instead of the SMS centre's alphabet. */
  readonly isUnicode?: boolean;
  /** The segment's place in a longer text, from 1, and the number of segments. */
  readonly segment?: readonly [part: number, parts: number];
}

/** Has fakesmsc send the messages one after the other, over their own connection. Resolves when they are sent. */
export async function writeByFakesmsc(port: number, messages: readonly KannelInbound[]): Promise<void> {
  for (const message of messages) {
    const args = ['-r', String(port), '-m', '1', lineOf(message)];
    const child = spawn(demandProgram('fakesmsc'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const exited = once(child, 'exit');
    // It waits for messages to deliver after it has sent its own.
    for await (const line of createInterface({ input: child.stderr })) {
      if (line.includes('sent message 1')) break;
    }
    child.kill('SIGTERM');
    await exited;
  }
}

/** `sender receiver type data`, where bytes are written as in a query. */
function lineOf({ from, to, text, isUnicode = false, segment }: KannelInbound): string {
  if (isUnicode) return `${from} ${to} ucs2 ${encoded(Buffer.from(text, 'utf16le').swap16())}`;
  if (segment === undefined) return `${from} ${to} text ${text}`;
  const [part, parts] = segment;
  // The concatenation header of 3GPP TS 23.040: length, element, its length, reference, parts, part.
  const header = encoded(Buffer.from([5, 0, 3, 42, parts, part]));
  return `${from} ${to} udh-text ${header} ${text}`;
}

function encoded(bytes: Buffer): string {
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The `sms-service` that forwards incoming SMS to an address, as the adapter's README tells to configure it. */
export function forwardingService(url: string, method: 'get' | 'post'): string {
  const address =
    method === 'get'
      ? `get-url = "${url}?from=%p&to=%P&text=%b&coding=%c&charset=%C&time=%T&id=%I"`
      : `post-url = "${url}?id=%I"\nsend-sender = true`;
  return `
group = sms-service
keyword = default
catch-all = true
omit-empty = true
max-messages = 0
${address}
`;
}

/** The `sms-service` that answers nobody and forwards nothing. */
export const silentService = `
group = sms-service
keyword = default
omit-empty = true
max-messages = 0
text = ""
`;

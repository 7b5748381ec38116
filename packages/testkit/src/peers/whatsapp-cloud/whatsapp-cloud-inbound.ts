import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PeerFile, PeerFiles, sendFile } from '../peer-files.ts';
import { CloudError } from './whatsapp-cloud-errors.ts';
import { businessAccountId } from './whatsapp-cloud-templates.ts';

/** A message that a person writes: its type, the content under the name of that type, and what it replies to. */
export interface CloudInbound {
  /** Empty for a person who hides the number; then `userId` is needed. */
  readonly from: string;
  readonly userId?: string;
  readonly name?: string;
  /** Meta's id; by default a new one. */
  readonly id?: string;
  readonly type: string;
  readonly [content: string]: unknown;
}

/** The document of one callback with these messages, to one number. */
export function inboundDocument(phoneNumberId: string, messages: readonly CloudInbound[]): string {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550109999', phone_number_id: phoneNumberId },
    contacts: messages.map(contactOf),
    messages: messages.map(messageOf),
  };
  const entry = [{ id: businessAccountId, changes: [{ value, field: 'messages' }] }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry });
}

/** A new id, as Meta writes them. */
export function newWamid(): string {
  return `wamid.${randomBytes(27).toString('base64')}`;
}

function contactOf({ from, userId, name = 'Ada' }: CloudInbound): object {
  return {
    profile: { name },
    ...(from === '' ? {} : { wa_id: from.replace(/\D/g, '') }),
    ...(userId === undefined ? {} : { user_id: userId }),
  };
}

function messageOf(message: CloudInbound): object {
  const { from, userId, name: _, id = newWamid(), ...content } = message;
  return {
    ...(from === '' ? {} : { from: from.replace(/\D/g, '') }),
    ...(userId === undefined ? {} : { from_user_id: userId }),
    id,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    ...content,
  };
}

/** The files that people sent to the app's numbers. An address lives for five minutes. */
export class CloudFiles extends PeerFiles {
  private given = 0;

  constructor() {
    super(300_000);
  }

  /** Keeps a file, and gives the content of a media message with it. */
  take(file: PeerFile): { readonly id: string; readonly mime_type: string; readonly sha256: string } {
    this.given += 1;
    const id = String(2_000_000 + this.given);
    this.add(id, file);
    return { id, mime_type: file.mimeType, sha256: sha256(file.content) };
  }

  /** What Meta tells of a file: its address, and what it is. */
  describe(id: string, base: string): object {
    const file = this.get(id);
    if (file === undefined)
      throw new CloudError(100, `Object with ID '${id}' does not exist or cannot be loaded`, 33);
    return {
      messaging_product: 'whatsapp',
      url: this.addressOf(id, `${base}/attachments`),
      mime_type: file.mimeType,
      sha256: sha256(file.content),
      file_size: file.content.length,
      id,
    };
  }

  /** Serves an address. It wants the token, and is 404 when it is old. */
  serve(request: IncomingMessage, response: ServerResponse, token: string): void {
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    if (isKnown) sendFile(response, this.at(name), 404);
    else response.writeHead(401).end();
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

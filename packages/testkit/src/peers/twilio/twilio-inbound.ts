import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PeerFile, PeerFiles, sendFile } from '../peer-files.ts';

/** A message that a person writes. */
export interface TwilioInbound {
  readonly from: string;
  readonly body?: string;
  readonly files?: readonly PeerFile[];
  /** Twilio's id; by default a new one. A message with files begins with `MM`. */
  readonly sid?: string;
  /** Further fields, such as `ProfileName`, `ButtonPayload` or `OriginalRepliedMessageSid`. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Files of incoming messages. The API redirects to an address in the storage that is good for four hours. */
export class TwilioFiles extends PeerFiles {
  private given = 0;

  constructor() {
    super(4 * 3_600_000);
  }

  /** The fields `NumMedia`, `MediaUrl0`, `MediaContentType0` and so on. */
  fieldsOf(messageUrl: string, files: readonly PeerFile[]): Record<string, string> {
    const fields = files.flatMap((file, index) => {
      this.given += 1;
      const sid = `ME${String(this.given).padStart(32, '0')}`;
      this.add(sid, file);
      return [
        [`MediaUrl${index}`, `${messageUrl}/Media/${sid}`],
        [`MediaContentType${index}`, file.mimeType],
      ] as const;
    });
    return { NumMedia: String(files.length), ...Object.fromEntries(fields) };
  }

  /** Answers the request for a file with a redirect; 404 for one that was deleted. */
  redirect(sid: string, base: string, response: ServerResponse): void {
    if (this.get(sid) === undefined) return void response.writeHead(404).end();
    response.writeHead(307, { location: this.addressOf(sid, `${base}/storage`) }).end();
  }

  /** Serves the storage, which refuses credentials and old addresses. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    if (request.headers.authorization === undefined) sendFile(response, this.at(name), 403);
    else response.writeHead(400).end('Only one auth mechanism allowed');
  }
}

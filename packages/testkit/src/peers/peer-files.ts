import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** A file that a person sent, as a provider's peer keeps it. */
export interface PeerFile {
  readonly mimeType: string;
  readonly content: Buffer;
}

/** The files of a peer, and the addresses that it gives out for them, which live for a while only. */
export class PeerFiles {
  /** How long an address is good, in ms. */
  addressMs: number;
  private readonly files = new Map<string, PeerFile>();
  private readonly addresses = new Map<string, { readonly id: string; readonly until: number }>();

  constructor(addressMs: number) {
    this.addressMs = addressMs;
  }

  add(id: string, file: PeerFile): void {
    this.files.set(id, file);
  }

  get(id: string): PeerFile | undefined {
    return this.files.get(id);
  }

  /** Deletes a file, as a provider does after some days. */
  remove(id: string): void {
    this.files.delete(id);
  }

  /** A new address for a file: a path below `base`. */
  addressOf(id: string, base: string): string {
    const name = randomUUID();
    this.addresses.set(name, { id, until: Date.now() + this.addressMs });
    return `${base}/${name}`;
  }

  /** The file at an address. Undefined if the address is unknown or old, or the file is gone. */
  at(name: string): PeerFile | undefined {
    const address = this.addresses.get(name);
    return address === undefined || address.until < Date.now() ? undefined : this.files.get(address.id);
  }
}

/** Answers with a file, or with `missing` if there is none. */
export function sendFile(response: ServerResponse, file: PeerFile | undefined, missing: number): void {
  if (file === undefined) return void response.writeHead(missing).end();
  const headers = { 'content-type': file.mimeType, 'content-length': file.content.length };
  response.writeHead(200, headers).end(file.content);
}

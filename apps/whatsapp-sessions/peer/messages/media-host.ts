import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { BinaryNode } from '@whiskeysockets/baileys';
import { node } from '../server/stanzas.ts';

/** How the media host answers uploads. With `times`, it does so that many times, then serves again. */
export type MediaBehaviour =
  | { readonly answer: 'serve'; readonly afterMs?: number }
  /** Answers 500 without an address. */
  | { readonly answer: 'refuse'; readonly times?: number }
  /** Reads the file and never answers. */
  | { readonly answer: 'hang'; readonly times?: number }
  | { readonly answer: 'reset'; readonly times?: number };

/** How the media host answers downloads. */
export type DownloadBehaviour =
  | { readonly answer: 'serve' }
  /** The files have expired. */
  | { readonly answer: 'gone' }
  /** Sends that many bytes, and then nothing more, or closes the connection. */
  | { readonly answer: 'stall' | 'break'; readonly afterBytes: number };

/** The token that allows uploads. */
const authorization = 'media-authorization';

/** The host of attachments, over TLS. It stores uploads and serves them. */
export class MediaHost {
  private readonly files = new Map<string, Buffer>();
  private readonly server: Server;
  private behaviour: MediaBehaviour = { answer: 'serve' };
  private left = Infinity;
  private downloads: DownloadBehaviour = { answer: 'serve' };
  private refusals = 0;

  constructor(tls: { readonly key: string; readonly cert: string }) {
    this.server = createServer({ key: tls.key, cert: tls.cert }, (request, response) => {
      this.serve(request, response).catch(() => response.destroy());
    });
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  behave(behaviour: MediaBehaviour): void {
    this.behaviour = behaviour;
    this.left = 'times' in behaviour ? (behaviour.times ?? Infinity) : Infinity;
  }

  behaveDownloads(behaviour: DownloadBehaviour): void {
    this.downloads = behaviour;
  }

  get url(): string {
    return `https://${this.name()}`;
  }

  /** The address and token for uploads, as clients receive them. */
  introduction(): BinaryNode {
    const host = node('host', { hostname: this.name(), maxContentLengthBytes: '104857600' });
    return node('media_conn', { auth: authorization, ttl: '300' }, [host]);
  }

  /** Stores a file, as a phone does. */
  keep(path: string, file: Buffer): void {
    this.files.set(path, file);
  }

  /** Refuses that many downloads. */
  refuseDownloads(times: number): void {
    this.refusals = times;
  }

  /** The file that was uploaded to this path, or null. */
  file(path: string): Buffer | null {
    return this.files.get(path) ?? null;
  }

  private name(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `https://${this.name()}`);
    if (request.method !== 'POST') return this.give(url.pathname, response);
    const body = Buffer.concat(await request.toArray());
    const behaviour = this.next();
    if (behaviour.answer === 'hang') return;
    if (behaviour.answer === 'reset') return void request.socket.resetAndDestroy();
    if (behaviour.answer === 'refuse') return void response.writeHead(500).end('{}');
    if (url.searchParams.get('auth') !== authorization) return void response.writeHead(401).end('{}');
    if (behaviour.afterMs !== undefined) await wait(behaviour.afterMs);
    this.files.set(url.pathname, body);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ url: url.origin + url.pathname, direct_path: url.pathname }));
  }

  private give(path: string, response: ServerResponse): void {
    this.refusals -= 1;
    if (this.refusals >= 0) return void response.writeHead(503).end();
    const file = this.files.get(path);
    const { downloads } = this;
    if (downloads.answer === 'gone') return void response.writeHead(410).end();
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': String(file.length) });
    if (downloads.answer === 'serve') return void response.end(file);
    const { answer, afterBytes } = downloads;
    response.write(file.subarray(0, afterBytes), () => void (answer === 'break' && response.destroy()));
  }

  private next(): MediaBehaviour {
    this.left -= 1;
    if (this.left < 0) this.behaviour = { answer: 'serve' };
    return this.behaviour;
  }
}

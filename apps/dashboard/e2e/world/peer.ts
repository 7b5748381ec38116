import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithUs, type peers, stopChild } from '@notify/testkit';

/** A stand-in of a provider, in its own process. */
export interface Peer {
  /** Where the service finds the provider. */
  readonly url: string;
  /** What to connect an account with. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** All it said when it began to listen. */
  readonly introduction: Introduction;
  /** Tells or asks it something over its control port: `peer.tell('POST', '/scan', { qr, phone })`. */
  tell(method: string, path: string, body?: object): Promise<unknown>;
}

export type Introduction = Readonly<Record<string, unknown>>;

const whatsappWeb = path.resolve(import.meta.dirname, '../../../whatsapp-sessions/peer/main.ts');

/** The provider that a peer stands for. */
export type PeerName = keyof typeof peers | 'whatsapp-web';

/** Starts one on free ports; resolves when it listens. It ends with this process. */
export async function startPeer(name: PeerName): Promise<Peer & { stop(): Promise<void> }> {
  const program =
    name === 'whatsapp-web'
      ? whatsappWeb
      : fileURLToPath(import.meta.resolve(`@notify/testkit/peers/${name}`));
  const child = spawn(process.execPath, [program, '0', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { ...peerOf(JSON.parse(line) as Introduction), stop: () => stopChild(child) };
}

/** A peer that listens, whichever process started it. */
export function peerOf(introduction: Introduction): Peer {
  return {
    url: String(introduction.url),
    settings: introduction.settings as Peer['settings'],
    introduction,
    async tell(method, at, body) {
      const answer = await fetch(`${String(introduction.controlUrl)}${at}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const told: unknown = await answer.json();
      if (!answer.ok) throw new Error(`${method} ${answer.url}: ${JSON.stringify(told)}`);
      return told;
    },
  };
}

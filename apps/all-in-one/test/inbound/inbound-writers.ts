import {
  newWamid,
  type PeerFile,
  type SmsGateway,
  startSmsGateway,
  startTwilioPeer,
  startVonagePeer,
  startWhatsappCloudPeer,
} from '@notify/testkit';
import type { InboundInstallation } from './inbound-installation.ts';

/** A provider's peer, as the suite uses it: a person who writes, and what the provider got to send. */
export interface Writer {
  readonly provider: string;
  readonly channel: 'whatsapp' | 'sms';
  /** Connects an account and enters its callback URL at the provider. */
  connect(installation: InboundInstallation): Promise<string>;
  /** Writes a text; `id` is the provider's. */
  text(text: string, id?: string): Promise<unknown>;
  /** Writes something that we do not read; `kind` is the provider's word for it. */
  readonly unknown: { readonly kind: string; write(): Promise<unknown> } | null;
  /** Writes a file. `remove` deletes it at the provider. */
  readonly file: { write(file: PeerFile, caption: string): Promise<unknown>; remove(): void } | null;
  /** Writes a text in several callbacks, in this order. */
  readonly pieces?: (parts: readonly string[], order: readonly number[]) => Promise<unknown>;
  /** What the provider sent last to the person: its text, and the id of the message that it quotes. */
  lastSent(): { readonly text: string; readonly quotes: string | null } | null;
}

/** Who writes in all of them. */
export const person = '+4915112345678';

/** Starts all peers. `urls` is the setting `PROVIDER_URLS`. */
export async function startWriters(): Promise<
  AsyncDisposable & { readonly urls: string; readonly all: readonly Writer[] }
> {
  const stack = new AsyncDisposableStack();
  const cloud = stack.use(await startWhatsappCloudPeer());
  const twilio = stack.use(await startTwilioPeer());
  const vonage = stack.use(await startVonagePeer());
  const gateway = stack.use(await startSmsGateway());
  return {
    urls: `whatsapp-cloud=${cloud.url},twilio=${twilio.url},vonage=${vonage.url}`,
    all: [cloudWriter(cloud), twilioWriter(twilio), vonageWriter(vonage), gatewayWriter(gateway)],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function cloudWriter(peer: Awaited<ReturnType<typeof startWhatsappCloudPeer>>): Writer {
  let fileId = '';
  return {
    provider: 'whatsapp-cloud',
    channel: 'whatsapp',
    async connect(installation) {
      const account = await installation.connect('whatsapp-cloud', peer.settings());
      if (!(await peer.subscribe(account.callbackUrl, ''))) throw new Error('the challenge was not answered');
      return account.id;
    },
    text: (text, id = newWamid()) => peer.write([{ from: person, id, type: 'text', text: { body: text } }]),
    unknown: {
      kind: 'hologram',
      write: () => peer.write([{ from: person, type: 'hologram', hologram: {} }]),
    },
    file: {
      async write(file, caption) {
        const taken = peer.files.take(file);
        fileId = taken.id;
        await peer.write([{ from: person, type: 'image', image: { ...taken, caption } }]);
      },
      remove: () => peer.files.remove(fileId),
    },
    lastSent() {
      const message = peer.ledger().at(-1)?.message;
      const text = message?.['text'] as { body: string } | undefined;
      return text === undefined ? null : { text: text.body, quotes: message?.context?.message_id ?? null };
    },
  };
}

function twilioWriter(peer: Awaited<ReturnType<typeof startTwilioPeer>>): Writer {
  let given = 0;
  const sidOf = (number: number) => `SM${String(number).padStart(32, 'f')}`;
  return {
    provider: 'twilio',
    channel: 'sms',
    async connect(installation) {
      const account = await installation.connect('twilio', peer.settings);
      peer.setIncoming(account.callbackUrl);
      return account.id;
    },
    text: (body, sid = sidOf((given += 1))) => peer.write({ from: person, body, sid }),
    // Twilio hands on nothing but texts, files, buttons and places.
    unknown: null,
    file: {
      write: (file, body) => peer.write({ from: person, body, files: [file] }),
      remove() {
        peer.files.get = () => undefined;
      },
    },
    lastSent: () => lastOf(peer.ledger()),
  };
}

function vonageWriter(peer: Awaited<ReturnType<typeof startVonagePeer>>): Writer {
  return {
    provider: 'vonage',
    channel: 'sms',
    async connect(installation) {
      const account = await installation.connect('vonage', peer.settings);
      peer.setIncoming(account.callbackUrl);
      return account.id;
    },
    text: (text, id) => peer.write({ from: person, text, ...(id === undefined ? {} : { id }) }),
    unknown: {
      kind: 'binary',
      write: () => peer.write({ from: person, text: 'bytes', type: 'binary', form: 'post' }),
    },
    pieces: (parts, order) => peer.write({ from: person, text: '', parts, order, form: 'json' }),
    file: null,
    lastSent: () => lastOf(peer.ledger()),
  };
}

function gatewayWriter(peer: SmsGateway): Writer {
  return {
    provider: 'http-sms',
    channel: 'sms',
    async connect(installation) {
      const account = await installation.connect('http-sms', peer.settings);
      peer.setIncoming(account.callbackUrl);
      return account.id;
    },
    text: (text, id) => peer.write({ from: person, text, ...(id === undefined ? {} : { id }) }),
    unknown: {
      kind: 'binary',
      write: () => peer.write({ from: person, text: 'bytes', charset: '8-BIT' }),
    },
    file: null,
    lastSent: () => lastOf(peer.ledger()),
  };
}

function lastOf(ledger: readonly { readonly text: string }[]) {
  const text = ledger.at(-1)?.text;
  return text === undefined ? null : { text, quotes: null };
}

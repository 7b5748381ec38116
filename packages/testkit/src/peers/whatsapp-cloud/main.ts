import { serveControl } from '../peer-process.ts';
import type { CloudInbound } from './whatsapp-cloud-inbound.ts';
import { startWhatsappCloudPeer } from './whatsapp-cloud-peer.ts';
import type { CloudBehaviour } from './whatsapp-cloud-state.ts';
import type { CloudTemplate } from './whatsapp-cloud-templates.ts';

/*
 * Meta as a separate process: `node main.ts [port] [controlPort]`. On the control port: GET /ledger,
 * /uploads and /told; POST /subscribe with {callbackUrl, verifyToken}; POST /behave with a behaviour; POST /templates
 * with all templates; POST /template with {name, status} of one that changes; POST /away with {away}; POST /window with
 * {to, open}; POST /write with {messages, phoneNumberId} that people write; POST /file with {mimeType, content in base64},
 * which answers the content of a media message; POST /remove-file with its id; POST /call with the document of a callback.
 */
const [port = '0', controlPort = '0'] = process.argv.slice(2);
const peer = await startWhatsappCloudPeer({ port: Number(port) });
serveControl(
  Number(controlPort),
  { url: peer.url, settings: peer.settings() },
  {
    'GET /ledger': () => peer.ledger(),
    'GET /uploads': () => peer.uploads(),
    'GET /told': () => peer.told(),
    'POST /subscribe': async ({
      callbackUrl,
      verifyToken = '',
    }: {
      callbackUrl: string;
      verifyToken?: string;
    }) => ({
      subscribed: await peer.subscribe(callbackUrl, verifyToken),
    }),
    'POST /behave': (behaviour: CloudBehaviour) => peer.behave(behaviour),
    'POST /templates': (templates: readonly CloudTemplate[]) => peer.setTemplates(templates),
    'POST /template': async ({ name, status, ...more }: { name: string; status: string }) => ({
      answered: await peer.changeTemplate(name, status, more),
    }),
    'POST /away': ({ away }: { away: boolean }) => peer.setAway(away),
    'POST /window': ({ to, open }: { to: string; open: boolean }) => peer.setWindow(to, open),
    'POST /write': async ({
      messages,
      phoneNumberId,
    }: {
      messages: CloudInbound[];
      phoneNumberId?: string;
    }) => ({
      status: await peer.write(messages, phoneNumberId),
    }),
    'POST /file': ({ mimeType, content }: { mimeType: string; content: string }) =>
      peer.files.take({ mimeType, content: Buffer.from(content, 'base64') }),
    'POST /remove-file': (id: string) => peer.files.remove(id),
    'POST /call': async (document: unknown) => ({ status: await peer.call(JSON.stringify(document)) }),
  },
);

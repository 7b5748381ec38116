import { makeCertificate } from '@notify/testkit/certificate';
import { serveControl } from '@notify/testkit/peer-process';
import { mendLibrary } from '../src/connection/library.ts';
import { commandsOf } from './control.ts';
import { startWhatsapp } from './server/server.ts';

/*
 * WhatsApp Web in a separate process: `node main.ts [port] [controlPort]`. It prints one line of JSON when it listens,
 * `{url, settings, rootPublicKey, mediaUrl, mediaCertificate, controlUrl}`. control.ts has the commands of the control port.
 * SIGTERM ends it.
 */
mendLibrary(null);
const [port = '0', controlPort = '0'] = process.argv.slice(2);
const tls = makeCertificate('IP:127.0.0.1');
const server = await startWhatsapp(Number(port), tls);
const shown = {
  url: server.url,
  settings: {},
  rootPublicKey: server.peer.authority.rootPublicKey.toString('base64'),
  mediaUrl: server.peer.media.url,
  mediaCertificate: tls.cert,
};
serveControl(Number(controlPort), shown, commandsOf(server));

import { serveControl } from '../peer-process.ts';
import type { TwilioContent } from './twilio-contents.ts';
import type { TwilioInbound } from './twilio-inbound.ts';
import { startTwilioPeer, type TwilioBehaviour } from './twilio-peer.ts';

type WrittenMessage = Omit<TwilioInbound, 'files'> & {
  readonly files?: readonly { readonly mimeType: string; readonly content: string }[];
};

/*
 * Twilio as a separate process: `node main.ts [port] [controlPort]`. On the control port: GET /ledger; POST
 * /behave with a behaviour; POST /contents with all contents; POST /incoming with the address for incoming texts; POST /text with {from, body};
 * POST /write with {from, body, files: [{mimeType, content in base64}], more}.
 */
const [port = '0', controlPort = '0'] = process.argv.slice(2);
const peer = await startTwilioPeer(Number(port));
const { url, settings } = peer;
serveControl(
  Number(controlPort),
  { url, settings },
  {
    'GET /ledger': () => peer.ledger(),
    'POST /behave': (behaviour: TwilioBehaviour) => peer.behave(behaviour),
    'POST /contents': (contents: readonly TwilioContent[]) => peer.setContents(contents),
    'POST /incoming': (incomingUrl: string) => peer.setIncoming(incomingUrl),
    'POST /write': ({ files = [], ...message }: WrittenMessage) =>
      peer.write({
        ...message,
        files: files.map(({ mimeType, content }) => ({ mimeType, content: Buffer.from(content, 'base64') })),
      }),
    'POST /text': async ({ from, body }: { from: string; body: string }) => ({
      answered: await peer.text(from, body),
    }),
  },
);

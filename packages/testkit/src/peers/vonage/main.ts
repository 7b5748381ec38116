import { serveControl } from '../peer-process.ts';
import type { VonageInbound } from './vonage-inbound.ts';
import { startVonagePeer, type VonageBehaviour } from './vonage-peer.ts';

/*
 * Vonage as a separate process: `node main.ts [port] [controlPort]`. On the control port: GET /ledger; POST
 * /behave with a behaviour; POST /incoming with the address for incoming texts; POST /write with a text that a person writes.
 */
const [port = '0', controlPort = '0'] = process.argv.slice(2);
const peer = await startVonagePeer(Number(port));
const { url, settings } = peer;
serveControl(
  Number(controlPort),
  { url, settings },
  {
    'GET /ledger': () => peer.ledger(),
    'POST /incoming': (incomingUrl: string) => peer.setIncoming(incomingUrl),
    'POST /write': async (message: VonageInbound) => ({ statuses: await peer.write(message) }),
    'POST /behave': (behaviour: VonageBehaviour) => peer.behave(behaviour),
  },
);

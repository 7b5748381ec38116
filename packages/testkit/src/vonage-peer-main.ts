import { serveControl } from './peer-process.ts';
import { startVonagePeer, type VonageBehaviour } from './vonage-peer.ts';

/*
 * Vonage as a separate process: `node vonage-peer-main.ts [port] [controlPort]`. On the control port: GET /ledger; POST
 * /behave with a behaviour.
 */
const [port = '0', controlPort = '0'] = process.argv.slice(2);
const peer = await startVonagePeer(Number(port));
const { url, settings } = peer;
serveControl(
  Number(controlPort),
  { url, settings },
  {
    'GET /ledger': () => peer.ledger(),
    'POST /behave': (behaviour: VonageBehaviour) => peer.behave(behaviour),
  },
);

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type GatewayBehaviour,
  type GatewayInbound,
  type SmsGateway,
  startSmsGateway,
} from './sms-gateway.ts';

/*
 * The gateway as a separate process: `node main.ts [port] [controlPort]`. When it listens, it prints one
 * line of JSON, `{url, settings, controlUrl}`. On the control port: GET /ledger; POST /behave with a behaviour; POST
 * /listen with true or false; POST /incoming with the address for incoming SMS; POST /write with {from, text, id}. SIGTERM ends it.
 */
const [port = '0', controlPort = '0'] = process.argv.slice(2);
const gateway = await startSmsGateway(Number(port));
const control = createServer((request, response) => void answer(gateway, request, response));
control.listen(Number(controlPort), '127.0.0.1', () => {
  const controlUrl = `http://127.0.0.1:${(control.address() as AddressInfo).port}`;
  const { url, settings } = gateway;
  process.stdout.write(`${JSON.stringify({ url, settings, controlUrl })}\n`);
});
process.once('SIGTERM', () => process.exit(0));

async function answer(of: SmsGateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = `${request.method} ${request.url}`;
  const body = Buffer.concat(await request.toArray()).toString('utf8');
  response.setHeader('content-type', 'application/json');
  switch (asked) {
    case 'GET /ledger':
      response.end(JSON.stringify(of.ledger()));
      return;
    case 'POST /behave':
      of.behave(JSON.parse(body) as GatewayBehaviour);
      break;
    case 'POST /incoming':
      of.setIncoming(JSON.parse(body) as string);
      break;
    case 'POST /write':
      response.end(JSON.stringify({ status: await of.write(JSON.parse(body) as GatewayInbound) }));
      return;
    case 'POST /listen':
      await of.listen(JSON.parse(body) === true);
      break;
    default:
      response.statusCode = 404;
  }
  response.end('{}');
}

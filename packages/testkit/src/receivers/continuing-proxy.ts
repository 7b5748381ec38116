import { once } from 'node:events';
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a provider. */
export interface ContinuingProxy extends AsyncDisposable {
  /** Replaces the URL of the provider. */
  readonly url: string;
}

/**
 * Starts a proxy that sends informational answers before each answer of `target`, although nobody asked, as some gateways
 * and their load balancers do: `100 Continue`, `102 Processing` and `100 Continue` again.
 */
export async function startContinuingProxy(target: string): Promise<ContinuingProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((request, response) => {
    response.writeContinue();
    response.writeProcessing();
    response.writeContinue();
    const { method, headers, url } = request;
    const onward = send(new URL(url ?? '', target), { agent, method: method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

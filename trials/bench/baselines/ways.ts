import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import { freePlace } from '../../../apps/api/src/admission/admission.ts';
import { readJson } from '../../../apps/api/src/http/input/body.ts';
import type { Exchange } from '../../../apps/api/src/http/exchange.ts';
import { protectiveHeaders } from '../../../apps/api/src/http/protect.ts';
import { createRouter } from '../../../apps/api/src/http/router.ts';
import { answerText } from '../../../apps/api/src/http/answer.ts';
import { routes } from '../../../apps/api/src/routes.ts';
import { listen } from '../../../apps/api/src/server.ts';
import { shortCut } from './short-cut.ts';

/*
 * The four ways of a request to its endpoint, each in a process of its own: `node ways.ts plain|short-cut|table|express
 * <port>`. All of them know every route of the api, read the same bodies, and answer the same constants with the
 * same headers. Only the way to the handler differs. The process tells its parent when it listens.
 */
const ways = {
  /** Node's http server and nothing else: it does not look at the path. */
  plain: (): RequestListener => (request, response) => settle(open(request, response, '', {})),
  /** Past Express, for the endpoints with the most load. */
  'short-cut': (): RequestListener =>
    shortCut(
      routes
        .filter(({ credential }) => credential === 'api-key')
        .map(({ path, method }) => ({ path, method: method.toUpperCase() })),
      (request, response) => settle(open(request, response, request.route.path, request.params)),
      ways.express(),
    ),
  /** Behind Express, by one table. */
  table(): RequestListener {
    const endpoints = routes.map(({ method, path }) => ({
      methods: [method.toUpperCase()],
      path,
      handle: answer,
    }));
    const router = createRouter(endpoints);
    const app = express();
    app.disable('x-powered-by').disable('etag');
    app.use((request, response, next) => {
      const found = router.find(request.method, request.path);
      if (found === null) return next();
      const { endpoint, params } = found;
      return endpoint.handle(open(request, response, endpoint.path, params, queryOf(request)));
    });
    return app;
  },
  /** Express's own router, which tries one pattern after the other. */
  express(): RequestListener {
    const app = express();
    app.disable('x-powered-by').disable('etag');
    for (const { method, path } of routes)
      app[method](path, (request, response) =>
        answer(open(request, response, path, request.params as Exchange['params'], queryOf(request))),
      );
    return app;
  },
};

const headers = protectiveHeaders(true);

function open(
  request: IncomingMessage,
  response: ServerResponse,
  route: string,
  params: Exchange['params'],
  query: Exchange['query'] = {},
): Exchange {
  const requestId = randomUUID();
  return {
    request,
    response,
    route,
    accepts: 'none',
    params,
    query,
    requestId,
    asker: null,
    place: freePlace,
    headers: [...headers, 'X-Request-Id', requestId],
  };
}

function queryOf({ query }: Request): Exchange['query'] {
  return query as Exchange['query'];
}

/** The answer of a look-up or a send, without its work. */
async function answer(exchange: Exchange): Promise<void> {
  const isSend = exchange.request.method === 'POST';
  if (isSend) await readJson(exchange.request);
  answerText(
    exchange,
    isSend ? 202 : 200,
    'application/json; charset=utf-8',
    JSON.stringify(isSend ? sent : found),
  );
}

function settle(exchange: Exchange): void {
  answer(exchange).catch(() => exchange.response.destroy());
}

const sent = { id: `msg_${randomUUID()}`, status: 'queued', channel: 'sms', createdAt: new Date() };
const found = {
  ...sent,
  status: 'delivered',
  type: 'text',
  to: '+14155550123',
  channelAccountId: `acc_${randomUUID()}`,
  externalId: 'gw-1234',
  body: { text: 'Your code is 1234. It is good for ten minutes.' },
  segments: 1,
  attempts: 1,
  sentAt: new Date(),
  deliveredAt: new Date(),
};

const [way = '', port = ''] = process.argv.slice(2);
const server = await listen(ways[way as keyof typeof ways](), '127.0.0.1', Number(port));
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
process.send?.('ready');

import { createServer } from 'vite';
import { buildOptions } from './options.ts';
import { dist } from './inputs.ts';

/*
 * `npm run dashboard:dev`: the dashboard with hot reloading, over a service that runs at the URL given, or at port 3000. The
 * Content-Security-Policy is the api's, so what it would refuse shows only in the built dashboard.
 */

const [target = 'http://127.0.0.1:3000'] = process.argv.slice(2);
const ours = ['/auth', '/tenant', '/v1', '/docs', '/openapi.json', '/problems'];
const server = await createServer({
  ...buildOptions(dist),
  logLevel: 'info',
  server: { proxy: Object.fromEntries(ours.map((path) => [path, { target }])) },
});
await server.listen();
server.printUrls();

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import scalar from '@scalar/fastify-api-reference';

/** What the package asks of Fastify, as far as it is used here. */
interface Route {
  readonly url: string;
  readonly handler: (request: null, reply: Reply) => string;
}
interface Reply {
  header(name: string, value: string): Reply;
  send(text: string): string;
}
type Plugin = (
  fastify: { route(route: Route): void; readonly initialConfig: object },
  options: { readonly routePrefix: string; readonly configuration: { readonly url: string } },
  next: () => void,
) => void;

/**
 * Writes the script of Scalar, which renders the API reference, into the assets. `@scalar/api-reference` has it as a
 * file, but installs 270 packages. Scalar's plugin for Fastify has the same script inside, and answers it at one of its
 * routes.
 */
export async function writeReference(folder: string): Promise<void> {
  const plugin: unknown = scalar; // its own types need Fastify's
  const script = scriptOf(plugin as Plugin);
  const hash = createHash('sha256').update(script).digest('hex').slice(0, 8);
  await writeFile(path.join(folder, 'assets', `api-reference-${hash}.js`), script);
}

/** What an empty field for a key shows. It looks like a key, and Scalar has no setting for it. */
const scalarsPlaceholder = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

function scriptOf(plugin: Plugin): string {
  const routes: Route[] = [];
  const fastify = { route: (route: Route) => void routes.push(route), initialConfig: {} };
  plugin(fastify, { routePrefix: '/docs', configuration: { url: '/openapi.json' } }, () => undefined);
  const reply: Reply = { header: () => reply, send: (text) => text };
  const route = routes.find(({ url }) => url.endsWith('.js'));
  if (route === undefined) throw new Error('@scalar/fastify-api-reference serves no script');
  const script = route.handler(null, reply).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  if (!script.includes(scalarsPlaceholder)) throw new Error('Scalar has another placeholder for keys');
  return script.replaceAll(scalarsPlaceholder, 'svc_live_…');
}

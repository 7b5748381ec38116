import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pinImages, pinnedFiles, unpinnedActions, unpinnedImages } from './pins.ts';

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
const root = path.resolve(import.meta.dirname, '..');

test('CI names every action by its commit', () => {
  const texts = pinnedFiles.map((file) => readFileSync(path.join(root, file), 'utf8'));
  expect(texts.flatMap(unpinnedActions)).toEqual([]);
});

test.each(['v5', 'main', '08c6903', `${'a'.repeat(40)}`])('an action at %s alone is not pinned', (at) => {
  expect(unpinnedActions(`      - uses: actions/checkout@${at}\n`)).toEqual([`actions/checkout@${at}`]);
});

test('it finds images by tag, but not images by digest, stages or our own', () => {
  const text = `FROM node:24-slim AS source
FROM source AS api
FROM node:22-slim@${digest('a')} AS other
    image: postgres:18
  image: notify
`;
  expect(unpinnedImages(text)).toEqual(['node:24-slim', 'postgres:18']);
});

test('the images of a file get the current digests of the registry, and nothing else changes', async () => {
  const known: Record<string, string> = {
    '/v2/library/node/manifests/24-slim': digest('b'),
    '/v2/team/tool/manifests/1.2': digest('c'),
  };
  const server = createServer((request, response) => {
    const found = known[request.url ?? ''];
    if (request.url?.startsWith('/token')) {
      response.end(JSON.stringify({ token: request.url.split('scope=')[1] }));
      return;
    }
    const [, repository] = /^\/v2\/(.+)\/manifests\//.exec(request.url ?? '') ?? [];
    const allowed = request.headers.authorization === `Bearer repository:${repository}:pull`;
    response
      .writeHead(found !== undefined && allowed ? 200 : 404, { 'docker-content-digest': found ?? '' })
      .end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const registry = { tokenUrl: `${url}/token?service=test`, url };
  const text = `FROM node:24-slim AS source
    image: team/tool:1.2@${digest('a')}
  image: notify
`;
  expect(await pinImages(text, registry)).toBe(`FROM node:24-slim@${digest('b')} AS source
    image: team/tool:1.2@${digest('c')}
  image: notify
`);
  await expect(pinImages('FROM gone:1 AS x\n', registry)).rejects.toThrow('gone:1 cannot be looked up: 404');
  await new Promise((resolve) => server.close(resolve));
});

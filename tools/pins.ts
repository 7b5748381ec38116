import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

/*
 * CI and the images name foreign images and actions by content, because a tag can be moved. `npm run pins` asks the
 * registry for the digest of every image and writes it beside the tag. Run it again to follow the tags. `--check` fails
 * if an action is not pinned, and lists the images that are not.
 */

const root = path.resolve(import.meta.dirname, '..');
/** The files that name foreign images and actions. */
export const pinnedFiles = [
  'Dockerfile',
  'docker-compose.yml',
  'docker-compose.observability.yml',
  '.github/workflows/ci.yml',
  '.github/workflows/release.yml',
  '.github/actions/prepare/action.yml',
];

/** The registry for Docker Hub's images (https://distribution.github.io/distribution/spec/api/). */
export interface Registry {
  readonly tokenUrl: string;
  readonly url: string;
}
const dockerHub: Registry = {
  tokenUrl: 'https://auth.docker.io/token?service=registry.docker.io',
  url: 'https://registry-1.docker.io',
};
/** Media types of an image's index of all platforms, in contrast to one platform's manifest. */
const indexes =
  'application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json';

/** `FROM node:24-slim@sha256:… AS source`, `image: postgres:18`: an image that is not one of our own or a stage. */
const imagePattern = /^((?:FROM| +image:) +)([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?(?= |$)/gm;
const actionPattern = /^ +- uses: +(\S+?)@(\S+)(.*)$/gm;

/** The images that are named by a tag only. */
export function unpinnedImages(text: string): string[] {
  return Array.from(text.matchAll(imagePattern)).flatMap(([, , image = '', digest]) =>
    digest === undefined ? [image] : [],
  );
}

/** The actions that are not named by a commit followed by a comment with the version. */
export function unpinnedActions(text: string): string[] {
  return Array.from(text.matchAll(actionPattern)).flatMap(([, action = '', at = '', rest = '']) =>
    /^[0-9a-f]{40}$/.test(at) && /^ # v\d+\.\d+\.\d+$/.test(rest) ? [] : [`${action}@${at}`],
  );
}

/** The text with every image named by its tag's current digest. */
export async function pinImages(text: string, registry: Registry): Promise<string> {
  const images = new Set(Array.from(text.matchAll(imagePattern), ([, , image = '']) => image));
  const digests = new Map<string, string>();
  for (const image of images) digests.set(image, await digestOf(image, registry));
  return text.replaceAll(
    imagePattern,
    (_, before: string, image: string) => `${before}${image}@${digests.get(image)}`,
  );
}

async function digestOf(image: string, { tokenUrl, url }: Registry): Promise<string> {
  const [name = '', tag = ''] = image.split(':');
  const repository = name.includes('/') ? name : `library/${name}`;
  const asked = await fetch(`${tokenUrl}&scope=repository:${repository}:pull`);
  const { token } = (await asked.json()) as { token: string };
  const answer = await fetch(`${url}/v2/${repository}/manifests/${tag}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}`, accept: indexes },
  });
  const digest = answer.headers.get('docker-content-digest') ?? '';
  if (answer.status !== 200 || !/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`${image} cannot be looked up: ${answer.status}`);
  return digest;
}

if (import.meta.main) {
  const texts = pinnedFiles.map((file) => readFileSync(path.join(root, file), 'utf8'));
  if (process.argv.includes('--check')) {
    const images = new Set(texts.flatMap(unpinnedImages));
    if (images.size > 0) console.log(`not pinned, see npm run pins: ${[...images].join(', ')}`);
    const actions = texts.flatMap(unpinnedActions);
    for (const action of actions)
      console.error(`${action} is not pinned: name its commit, and "# v1.2.3" behind it`);
    process.exitCode = actions.length > 0 ? 1 : 0;
  } else {
    for (const [index, text] of texts.entries())
      await writeFile(path.join(root, pinnedFiles[index]!), await pinImages(text, dockerHub));
  }
}

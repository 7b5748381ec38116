import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Head,
  headOf,
  type Rendered,
  renderMarkdown,
  type Section,
  sectionsOf,
  type Surroundings,
} from './markdown.ts';

/** A page that is served, made of a Markdown file of the repository. */
export interface Guide extends Head {
  /** Its path on this host, such as `/docs/guides/webhooks`. */
  readonly address: string;
  /** Relative to the installation. */
  readonly file: string;
  readonly group: GuideGroup;
  /** Renders the file. Takes some milliseconds, so the page is kept. */
  render(surroundings: Omit<Surroundings, 'addressOf'>): Rendered;
  /** What a search looks through. */
  sections(): readonly Section[];
}

/** The groups of pages, in the order of the index. */
export const guideGroups = ['Guides', 'Reference', 'Providers'] as const;
export type GuideGroup = (typeof guideGroups)[number];

/** The folder that holds `docs` and `packages`, which are as in the repository wherever the api runs. */
export const installation = path.resolve(import.meta.dirname, '../../../..');

/** Files that have their own page. */
const servedElsewhere: ReadonlyMap<string, string> = new Map([
  ['docs/errors.md', '/problems'],
  ['openapi.json', '/openapi.json'],
]);

type Source = Pick<Guide, 'address' | 'file' | 'group'>;

/**
 * Reads the guides, the pages that they link to, and the pages of the providers. The guides come in the order of their
 * README, and others follow by title. What is not installed is left out.
 */
export function readGuides(root: string = installation): readonly Guide[] {
  const sources = sourcesIn(root);
  const addresses = new Map([
    ...servedElsewhere,
    ...sources.map(({ file, address }) => [file, address] as const),
  ]);
  const guides = sources.map((source) => {
    const text = readFileSync(path.join(root, source.file), 'utf8');
    return {
      ...source,
      ...headOf(text),
      render: (surroundings: Omit<Surroundings, 'addressOf'>) =>
        renderMarkdown(text, {
          ...surroundings,
          addressOf: (href) => addressOf(href, source.file, addresses),
        }),
      sections: () => sectionsOf(text),
    };
  });
  const order = orderIn(root);
  const rank = ({ file }: Guide): number => (order.includes(file) ? order.indexOf(file) : order.length);
  return guides.toSorted((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title, 'en'));
}

function sourcesIn(root: string): Source[] {
  const guides = namesIn(root, 'docs/guides')
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => ({ file: `docs/guides/${name}`, address: `/docs/guides/${name.slice(0, -3)}` }));
  const references = namesIn(root, 'docs')
    .filter((name) => ['consent.md', 'events.md', 'receiving.md'].includes(name))
    .map((name) => ({ file: `docs/${name}`, address: `/docs/guides/reference/${name.slice(0, -3)}` }));
  const channels = 'packages/channels/src';
  const providers = namesIn(root, channels)
    .filter((name) => namesIn(root, `${channels}/${name}`).includes('README.md'))
    .map((name) => ({ file: `${channels}/${name}/README.md`, address: `/docs/guides/providers/${name}` }));
  return [
    ...guides.map((one) => ({ ...one, group: 'Guides' as const })),
    ...references.map((one) => ({ ...one, group: 'Reference' as const })),
    ...providers.map((one) => ({ ...one, group: 'Providers' as const })),
  ];
}

/** The files that the README of the guides links to, in its order. None if it is missing. */
function orderIn(root: string): readonly string[] {
  if (!namesIn(root, 'docs/guides').includes('README.md')) return [];
  const text = readFileSync(path.join(root, 'docs/guides/README.md'), 'utf8');
  return [...text.matchAll(/\]\(\.\/([\w-]+\.md)\)/g)].map(([, name]) => `docs/guides/${name}`);
}

/** Names in a folder. None if it is no folder. */
function namesIn(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(path.join(root, folder));
  } catch {
    return [];
  }
}

/** Where a link of a file leads on this host. Null for a file that is not served, and for other schemes than http. */
function addressOf(href: string, file: string, addresses: ReadonlyMap<string, string>): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
  if (/^[a-z][a-z\d+.-]*:|^\//i.test(href)) return null;
  const [relative = '', anchor] = href.split('#');
  const target = path.posix.join(path.posix.dirname(file), relative);
  const address =
    target === 'docs/guides' || target === 'docs/guides/README.md' ? '/docs/guides' : addresses.get(target);
  if (address === undefined) return null;
  return anchor === undefined ? address : `${address}#${anchor}`;
}

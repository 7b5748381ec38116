import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { keyScopes, tokenScopes } from '@notify/contract';
import { readGuide } from '@notify/testkit';

const root = path.resolve(import.meta.dirname, '../..');
const guides = globSync('docs/guides/*.md', { cwd: root }).sort();
const pages = globSync('**/*.md', { cwd: root, exclude: ['**/node_modules', '.*/**', 'dist'] }).sort();

const textOf = (page: string) => readFileSync(path.join(root, page), 'utf8');

/** The text without fenced code. */
const proseOf = (page: string) => textOf(page).replaceAll(/^ *```.*?^ *```$/gms, '');

/** The anchors of a page, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(pages)('%s', (page) => {
  test('links only to pages and headings that exist', () => {
    const links = [...proseOf(page).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    const broken = links.filter((target) => !/^https?:/.test(target) && !exists(page, target));
    expect(broken).toEqual([]);
  });
});

function exists(page: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const linked = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(root, linked))) return false;
  return anchor === undefined || anchorsOf(linked).includes(anchor);
}

test('the index lists every guide', () => {
  const listed = [...textOf('docs/guides/README.md').matchAll(/\]\(\.\/([\w-]+\.md)\)/g)].map(
    ([, file]) => file,
  );
  const others = guides.map((guide) => path.basename(guide)).filter((name) => name !== 'README.md');
  expect(new Set(listed)).toEqual(new Set(others));
});

test('guides have no raw HTML', () => {
  const raw = guides.filter((guide) => /<[a-z/!]/i.test(proseOf(guide).replaceAll(/`[^`]*`/g, '')));
  expect(raw).toEqual([]);
});

test.each(guides)('JSON in %s can be parsed', (guide) => {
  const blocks = readGuide(path.basename(guide, '.md')).blocks.filter(({ language }) => language === 'json');
  expect(() => blocks.map(({ code }) => JSON.parse(code) as unknown)).not.toThrow();
});

test('the guide to credentials lists every scope', () => {
  const { text } = readGuide('credentials');
  const section = text.split('\n## Service tokens\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| (`[^|]+`) +\|/gm)].map(([, cell = '']) => cell);
  const listed = rows.flatMap((cell) => [...cell.matchAll(/`([\w:]+)`/g)].map(([, scope = '']) => scope));
  expect(listed.sort()).toEqual([...tokenScopes].sort());
  const keys = /^\| `scopes` .*$/m.exec(text)?.[0] ?? '';
  expect(keyScopes.filter((scope) => !keys.includes(`\`${scope}\``))).toEqual([]);
});

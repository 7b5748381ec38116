import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express, { type Express } from 'express';
import request from 'supertest';
import { installation, readGuides } from '../src/docs/guides.ts';
import { docsRouter } from '../src/docs/router.ts';
import { routes } from '../src/routes.ts';

const sample = `<!-- A note to authors. -->

# A \`sample\` guide

It shows **what** a guide can have.

## Links & anchors

[Next](./next.md#more), [Events](../events.md#the-body), [Codes](../errors.md#failed-messages), [Twilio](../../packages/channels/src/twilio/README.md),
[itself](#links--anchors), [elsewhere](https://example.com/a?b=1&c=2), [the index](./README.md).

[The license](../../LICENSE), [bad](javascript:alert(1)), [worse](data:text/html,x), [root](/etc/passwd),
[outside](../../../../etc/passwd).

## Links & anchors

![A picture](../images/overview.png) <script>alert(1)</script> <img src=x onerror=alert(1)>

| Name | Value |
| ---- | ----- |
| \`a\` | <b>   |

\`\`\`sh send.sh
curl "$NOTIFY_URL" < body.json
\`\`\`
`;

let root: string;
let app: Express;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'notify-guides-'));
  await mkdir(path.join(root, 'docs/guides'), { recursive: true });
  await mkdir(path.join(root, 'packages/channels/src/twilio'), { recursive: true });
  await writeFile(path.join(root, 'docs/guides/sample.md'), sample);
  await writeFile(path.join(root, 'docs/guides/next.md'), '# Another guide\n\nIt comes next.\n\n## More\n');
  await writeFile(
    path.join(root, 'docs/guides/README.md'),
    '# Guides\n\n[First](./sample.md), [second](./next.md)\n',
  );
  await writeFile(
    path.join(root, 'docs/guides/unlisted.md'),
    '# A guide of its own\n\nNo link leads here.\n',
  );
  await writeFile(path.join(root, 'docs/events.md'), '# Events\n\n## The body\n');
  await writeFile(path.join(root, 'docs/operating.md'), '# Operating\n');
  await writeFile(path.join(root, 'packages/channels/src/twilio/README.md'), '# Twilio\n');
  app = express().use(docsRouter(routes, { root }));
});
afterAll(() => rm(root, { recursive: true }));

async function read(address: string): Promise<string> {
  const answer = await request(app).get(address);
  expect([address, answer.status, answer.type]).toEqual([address, 200, 'text/html']);
  return answer.text;
}

describe('a guide', () => {
  let text: string;
  beforeAll(async () => {
    text = await read('/docs/guides/sample');
  });

  test('has its title, the links of the documentation, and a style sheet of ours', () => {
    expect(text).toContain('<title>A sample guide · Notify</title>');
    expect(text).toContain('<h1 id="a-sample-guide">A <code>sample</code> guide</h1>');
    expect(text).toMatch(/<link rel="stylesheet" href="\/docs\/style.css"/);
    expect(text).toContain('<a href="/docs">API reference</a>');
  });

  test('links to what is served', () => {
    expect(text).toContain('<a href="/docs/guides/next#more">Next</a>');
    expect(text).toContain('<a href="/docs/guides/reference/events#the-body">Events</a>');
    expect(text).toContain('<a href="/problems#failed-messages">Codes</a>');
    expect(text).toContain('<a href="/docs/guides/providers/twilio">Twilio</a>');
    expect(text).toContain('<a href="#links--anchors">itself</a>');
    expect(text).toContain('<a href="https://example.com/a?b=1&amp;c=2">elsewhere</a>');
    expect(text).toContain('<a href="/docs/guides">the index</a>');
  });

  test('shows the words of a link to anything else, without the link', () => {
    expect(text).toMatch(/The license, bad, worse, root,\s+outside\./);
    expect(text).not.toMatch(/javascript:|data:|passwd|LICENSE/);
  });

  test('has an anchor of its own for each heading', () => {
    expect(text).toContain('<h2 id="links--anchors">');
    expect(text).toContain('<h2 id="links--anchors-1">');
  });

  test('shows HTML as text, leaves comments out, and loads no picture', () => {
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(text).toContain('A picture');
    expect(text).not.toMatch(/<img|<script|A note to authors/);
  });

  test('has code as it is written, with the name of its file', () => {
    expect(text).toContain('<figcaption>send.sh</figcaption>');
    expect(text).toContain('<code>curl &quot;$NOTIFY_URL&quot; &lt; body.json</code>');
  });

  test('has tables that scroll by themselves', () => {
    expect(text).toMatch(/<div class="table" tabindex="0">\s*<table>/);
    expect(text).toMatch(/<td><code>a<\/code><\/td>\s*<td>&lt;b&gt;<\/td>/);
  });
});

test('the index lists each page with its first paragraph', async () => {
  const text = await read('/docs/guides');
  expect(text).toContain('<a href="/docs/guides/sample">A sample guide</a>');
  expect(text).toContain('It shows what a guide can have.');
  expect(text).toContain('<h2>Reference</h2>');
  expect(text).toContain('<a href="/docs/guides/providers/twilio">Twilio</a>');
});

test('the index has the guides in the order of their README', async () => {
  const text = await read('/docs/guides');
  const guides = [...text.matchAll(/\/docs\/guides\/(sample|next|unlisted)"/g)].map(([, name]) => name);
  expect(guides).toEqual(['sample', 'next', 'unlisted']);
});

test.each([
  '/docs/guides/operating',
  '/docs/guides/README',
  '/docs/guides/sample.md',
  '/docs/guides/__proto__',
])('%s is no page', async (address) => {
  expect((await request(app).get(address)).status).toBe(404);
});

test('an installation without guides has an empty index', async () => {
  const without = express().use(docsRouter(routes, { root: path.join(root, 'nothing') }));
  const answer = await request(without).get('/docs/guides');
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('<h1>Guides</h1>')]);
});

describe('the guides of the repository', () => {
  const guides = readGuides();
  const served = express().use(docsRouter(routes));

  test('are there, with a title and a first paragraph', () => {
    expect(guides.length).toBeGreaterThan(8);
    expect(guides.filter(({ title, summary }) => title === '' || summary === '')).toEqual([]);
  });

  test('have no link on this host that leads nowhere, nor to a missing anchor', async () => {
    const pages = new Map<string, string>();
    const textOf = async (address: string): Promise<string> => {
      const { status, text } = await request(served).get(address);
      pages.set(address, `${status} ${text}`);
      return pages.get(address)!;
    };
    const dead: string[] = [];
    for (const { address } of [...guides, { address: '/docs/guides' }]) {
      const text = await textOf(address);
      for (const [, href = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
        if (href.startsWith('http')) continue;
        const [place = '', anchor] = href.split('#');
        const target = place === '' ? text : (pages.get(place) ?? (await textOf(place)));
        const isThere = target.startsWith('200') && (!anchor || target.includes(`id="${anchor}"`));
        if (!isThere) dead.push(`${address}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('have no link in the repository to a file that is not there', async () => {
    const dead: string[] = [];
    for (const { file } of guides) {
      const text = await readFile(path.join(installation, file), 'utf8');
      for (const [, href = ''] of text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)) {
        const target = path.join(installation, path.dirname(file), href);
        await access(target).catch(() => dead.push(`${file}: ${href}`));
      }
    }
    expect(dead).toEqual([]);
  });
});

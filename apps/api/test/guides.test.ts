import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express, { type Express } from 'express';
import request from 'supertest';
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

## Languages

### Python

\`\`\`python send.py
print("hello")  # Python
\`\`\`

### Go

Compile it first.

## Tools

\`GET /v1/messages/:id\` and \`GET /nowhere\`.

\`\`\`sh ask.sh
curl "$NOTIFY_URL"
\`\`\`

\`\`\`sh ask-cli.sh
notifyctl messages list
\`\`\`

\`\`\`json
{ "answer": true }
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
    expect(text).toMatch(/<a class="brand" href="\/"/);
  });

  test('marks itself in the list of all pages, and leads to those before and after it', async () => {
    expect(text).toContain('<a href="/docs/guides/sample" aria-current="page">A sample guide</a>');
    expect(text.match(/aria-current="page"/g)).toHaveLength(2); // the other one is its part, in the top bar
    expect(text).toMatch(/<a rel="next" href="\/docs\/guides\/next">\s*<span>Next<\/span> Another guide/);
    expect(text).not.toContain('rel="prev"');
    expect(await read('/docs/guides/next')).toContain('<a rel="prev" href="/docs/guides/sample">');
  });

  test('lists its headings, without those of languages', () => {
    const contents = /<nav id="contents".*?<\/nav>/s.exec(text)?.[0] ?? '';
    const anchors = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
    expect(anchors).toEqual(['links--anchors', 'links--anchors-1', 'languages', 'tools']);
  });

  test('has the same for several languages or tools as tabs, and an answer as its own block', () => {
    const sets = text.split('<div class="tabs">').slice(1);
    const labels = sets.map((set) =>
      [...set.matchAll(/<section data-label="([^"]+)"/g)].map(([, one]) => one),
    );
    expect(labels).toEqual([
      ['Python', 'Go'],
      ['curl', 'CLI'],
    ]);
    expect(sets[0]).toContain('<h3 id="python">');
    expect(sets[1]?.split('</section>').at(-1)).toContain('answer');
  });

  test('marks the words of code, and links an operation to its place in the reference', () => {
    expect(text).toContain('<span class="h-comment"># Python</span>');
    expect(text).toContain('href="/docs#tag/messages/GET/v1/messages/{id}"');
    expect(text).toContain('<code>GET /nowhere</code>');
  });

  test('may run and load nothing that is not ours', async () => {
    const { headers } = await request(app).get('/docs/guides/sample');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';font-src 'self';" +
        "base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/<style|<script>|<[^>]* (?:style|on\w+)=/);
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

  test('has its own anchor for each heading', () => {
    expect(text).toContain('<h2 id="links--anchors">');
    expect(text).toContain('<h2 id="links--anchors-1">');
  });

  test('shows HTML as text, leaves comments out, and loads no picture', () => {
    const article = /<article>.*<\/article>/s.exec(text)?.[0] ?? '';
    expect(article).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(article).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(article).toContain('A picture');
    expect(article).not.toMatch(/<img|<script|A note to authors/);
  });

  test('has code as it is written, with the name of its file', () => {
    expect(text).toContain('<figcaption>send.sh</figcaption>');
    const [, code = ''] = /<code>(curl .*?)<\/code>/.exec(text) ?? [];
    expect(code.replaceAll(/<[^>]+>/g, '')).toBe('curl &quot;$NOTIFY_URL&quot; &lt; body.json');
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
  const inOrder = ['sample', 'next', 'unlisted'];
  expect(guides).toEqual([...inOrder, ...inOrder]); // in the list beside the text, and in the text
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

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildDashboard } from '../e2e/world/built.ts';
import manifest from '../package.json' with { type: 'json' };

const file = path.resolve(import.meta.dirname, '../dist/third-party-licenses.txt');
let sections: ReadonlyMap<string, string>;

beforeAll(async () => {
  await buildDashboard();
  const parts = readFileSync(file, 'utf8')
    .split(/^={80}\n(?=\S+ \d+\.\S+ \(.+\)\n\n)/m)
    .slice(1);
  sections = new Map(parts.map((part) => [part.slice(0, part.indexOf(' ')), part]));
});

/** What builds the dashboard, and what is ours. */
const isThirdParty = (name: string): boolean =>
  !name.startsWith('@notify/') && !['@vitejs/plugin-react', 'vite'].includes(name);

test('every package that the dashboard names is there with its licence', () => {
  const used = Object.keys(manifest.dependencies).filter(isThirdParty);
  expect([...sections.keys()]).toEqual(expect.arrayContaining(used));
});

test('so are those that these bring with them, and the helpers of the bundler', () => {
  expect([...sections.keys()]).toEqual(
    expect.arrayContaining(['scheduler', '@floating-ui/dom', 'd3-scale', 'vite', 'react-remove-scroll-bar']),
  );
});

test('each has the words of its licence and who holds the rights, and nothing of its neighbours', () => {
  for (const [name, text] of sections) {
    expect([name, text]).toEqual([name, expect.stringMatching(/copyright|rights/i)]);
    expect([name, text]).toEqual([name, expect.stringMatching(/permission|redistribution/i)]);
  }
  expect(sections.get('vite')).not.toContain('Licenses of bundled dependencies');
});

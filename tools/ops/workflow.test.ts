import { readFileSync } from 'node:fs';
import path from 'node:path';
import config from '../../jest.config.ts';

const root = path.resolve(import.meta.dirname, '../..');
const script = readFileSync(path.join(root, '.ci/run'), 'utf8');
const workflow = readFileSync(path.join(root, '.github/workflows/ci.yml'), 'utf8');

/** The npm commands of a text, without redirections. */
function commandsOf(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, command = '']) => command.trim()).sort();
}

test('the jobs of the workflow run what .ci/run runs', () => {
  const steps = commandsOf(script, /^(?:step|begin)(?: nice -n \d+)? ((?:npm|node_modules\S+) .*)$/gm);
  const runs = commandsOf(workflow, /^ +- run: ((?:npm|node_modules\S+) .*)$/gm);
  const others = runs.filter((command) => !command.startsWith('npm run test:all '));
  // The job of chaos has its machine alone, so it judges the times of recovery as well.
  const asThere = steps.map((command) => command.replace(/^(npm run chaos .*) --untimed$/, '$1'));
  expect(asThere).toEqual([...others, 'npm run test:alone', 'npm run test:slow'].sort());
});

test('the jobs of the workflow run every test project once', () => {
  const selected = commandsOf(workflow, /--selectProjects ([a-z ]+?)(?: --|$)/gm).flatMap((names) =>
    names.split(' '),
  );
  const projects = (config.projects ?? []).map((project) =>
    typeof project === 'string' ? project : String(project.displayName),
  );
  expect(selected.sort()).toEqual(projects.sort());
});

test('the shards of a matrix are complete', () => {
  const [, list = ''] = /shard: \[(.*)\]/.exec(workflow) ?? [];
  const shards = list.split(', ');
  expect(shards).toEqual(shards.map((_, index) => `${index + 1}/${shards.length}`));
});

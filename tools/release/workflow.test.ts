import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { imagesOf } from './release.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: readonly string[];
  readonly uses?: string;
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const { on, permissions, jobs } = parse(read('.github/workflows/release.yml')) as Workflow;
const stepOf = (job: string, action: string): Step['with'] =>
  jobs[job]?.steps?.find(({ uses }) => uses?.startsWith(`${action}@`))?.with;

test('a tag begins it, and nothing is pushed before the check and the whole gate', () => {
  expect(on).toEqual({ push: { tags: ['v*'] } });
  expect(jobs.gate?.uses).toBe('./.github/workflows/ci.yml');
  expect(read('.github/workflows/ci.yml')).toMatch(/^ {2}workflow_call:$/m);
  expect(jobs.images?.needs).toEqual(['check', 'gate']);
  for (const job of ['notes', 'npm']) expect(jobs[job]?.needs).toEqual(['check', 'images']);
});

test('each job may do what it needs, and no more', () => {
  expect(permissions).toEqual({});
  expect(Object.entries(jobs).map(([name, job]) => [name, job.permissions])).toEqual([
    ['check', { contents: 'read' }],
    ['gate', { contents: 'read' }],
    ['images', { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' }],
    ['notes', { contents: 'write' }],
    ['npm', { contents: 'read', 'id-token': 'write' }],
  ]);
});

test('every image is built for both platforms, with SBOM, provenance, labels and a signature', () => {
  expect(stepOf('images', 'docker/build-push-action')).toMatchObject({
    target: '${{ matrix.image.target }}',
    platforms: 'linux/amd64,linux/arm64',
    push: true,
    sbom: true,
    provenance: 'mode=max',
  });
  const labels = String(stepOf('images', 'docker/build-push-action')?.labels);
  for (const label of ['source', 'version', 'revision', 'licenses'])
    expect(labels).toContain(`org.opencontainers.image.${label}=`);
  expect(stepOf('images', 'actions/attest-build-provenance')).toMatchObject({ 'push-to-registry': true });
});

test('every stage of the Dockerfile that has a command is released', () => {
  const stages = read('Dockerfile').split(/^(?=FROM )/m);
  const runnable = stages.filter((stage) => /^CMD /m.test(stage));
  const names = runnable.map((stage) => /^FROM \S+ AS (\S+)/m.exec(stage)?.[1]);
  expect(
    imagesOf(['1'], 'a')
      .map(({ target }) => target)
      .toSorted(),
  ).toEqual(names.map(String).toSorted());
});

test('npm gets the packages only where the repository says so', () => {
  expect(jobs.npm?.if).toBe("vars.NPM_PUBLISH == 'true'");
  expect(jobs.npm?.steps?.some(({ run }) => run?.includes('npm publish'))).toBe(true);
});

test('no expression stands in a script, where a name of a tag could become a command', () => {
  for (const { steps = [] } of Object.values(jobs))
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

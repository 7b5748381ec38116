import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gitFiles } from '../git-files.ts';
import { imagesOf, releaseOf } from './release.ts';

// `node tools/release/main.ts v1.2.3 <owner>` checks that everything here is of that version, and prints what the release
// workflow needs, one `name=value` a line. With `--notes` it prints the release notes instead.

const root = path.resolve(import.meta.dirname, '../..');
const [tag = '', owner = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));

try {
  const files = gitFiles(root, ['package.json', 'apps', 'packages']).filter((file) =>
    /^(?:(?:apps|packages)\/[^/]+\/)?package\.json$/.test(file),
  );
  const release = releaseOf({
    tag,
    allTags: execFileSync('git', ['tag', '--list', 'v*'], { cwd: root, encoding: 'utf8' }).trim().split('\n'),
    manifests: Object.fromEntries(files.map((file) => [file, versionIn(file)])),
    changelog: readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'),
  });
  if (process.argv.includes('--notes')) process.stdout.write(release.notes);
  else {
    console.log(`version=${release.version}`);
    console.log(`prerelease=${release.isPrerelease}`);
    console.log(`images=${JSON.stringify(imagesOf(release.tags, owner))}`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function versionIn(file: string): string {
  return (JSON.parse(readFileSync(path.join(root, file), 'utf8')) as { version: string }).version;
}

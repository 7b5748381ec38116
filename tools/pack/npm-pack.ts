import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Runs `npm pack` in `folder` and returns the path of its tarball, which is in the folder `to`. */
export function npmPack(folder: string, to: string): string {
  const answer = execFileSync('npm', ['pack', '--json', '--pack-destination', to], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [packed] = JSON.parse(String(answer)) as { filename: string }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  return path.join(to, packed.filename);
}

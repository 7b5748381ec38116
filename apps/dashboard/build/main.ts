import './config.ts';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { compressFolder } from './compress.ts';
import { app, digestInputs, dist, isFresh, stampIn } from './inputs.ts';
import { buildOptions } from './options.ts';
import { writeReference } from './reference.ts';

/*
 * `npm run dashboard`: builds what the api serves, where it is not built from the present sources already. It is made
 * beside its place and put there whole, so that an api that starts meanwhile never reads half of it.
 */

const digest = await digestInputs();
if (!(await isFresh(digest))) {
  console.log('building the dashboard');
  const began = performance.now();
  const made = await mkdtemp(path.join(app, 'dist-'));
  try {
    await chmod(made, 0o755); // whoever runs the api may be another user
    await build(buildOptions(made));
    await writeReference(made);
    await compressFolder(made);
    await writeFile(stampIn(made), digest);
    await putInPlace(made);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
  console.log(`built the dashboard in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** Puts a build in its place, or drops it where another process has put one of the same sources there meanwhile. */
async function putInPlace(made: string): Promise<void> {
  while (!(await isFresh(digest))) {
    await rm(dist, { recursive: true, force: true });
    try {
      await rename(made, dist);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
  await rm(made, { recursive: true, force: true });
}

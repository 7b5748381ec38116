import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { endWithUs } from '@notify/testkit';

/** What the containers of docker-compose.yml have: their own user, no capability, and no rights to gain. */
const unprivileged =
  'setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs';

/**
 * In mounts of its own: the image at /mnt/app, and Node beside it. Both are read-only, as is everything else but /tmp and
 * the spool. As in a container, these two are empty at first.
 */
const mounts = `
set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/app /mnt/programs
mount --bind "$1" /mnt/app
mount --bind "$2" /mnt/programs
mount -t tmpfs -o mode=1777 tmpfs /mnt/app/spool
mount -t tmpfs -o mode=1777 tmpfs /tmp
for place in /mnt/programs /mnt/app /mnt /; do mount -o remount,bind,ro $place; done
cd /mnt/app
shift 2
exec ${unprivileged} "$@"`;

/** Runs programs as the read-only containers of docker-compose.yml do. Needs Linux, and root or `sudo`. */
export interface ReadOnly {
  /** Starts a command in an image's folder. The process has this environment and no other. */
  start(image: string, words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess;
}

/** Prepares it below `scratch`, and throws if a program could write into the image all the same. */
export function readOnly(scratch: string): ReadOnly {
  const programs = path.join(scratch, 'programs-read-only');
  mkdirSync(programs);
  copyFileSync(process.execPath, path.join(programs, 'node'));
  const command = (image: string, words: readonly string[], env: NodeJS.ProcessEnv): string[] => [
    ...(process.getuid?.() === 0 ? [] : ['sudo', '-n']),
    'env',
    '-i',
    ...Object.entries(env).map(([name, value]) => `${name}=${value ?? ''}`),
    'PATH=/mnt/programs:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/',
    'unshare',
    '--mount',
    'sh',
    '-c',
    mounts,
    'sh',
    image,
    programs,
    ...words,
  ];
  return {
    start(image, words, env) {
      demandReadOnly(command(image, ['sh', '-c', writes], {}));
      const [program = '', ...rest] = command(image, words, env);
      const child = spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit'] });
      endWithUs(child);
      return child;
    },
  };
}

/** Says each of these places that it could write to. */
const writes =
  'for place in /mnt/app /mnt/app/node_modules /var/tmp / /tmp /mnt/app/spool; do touch $place/x 2>/dev/null && echo $place; done; true';

function demandReadOnly([program = '', ...args]: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  const writable = stdout.trim().split('\n').join(' ');
  if (status !== 0 || writable !== '/tmp /mnt/app/spool')
    throw new Error(`not only /tmp and the spool can be written to: ${writable || stderr}`);
}

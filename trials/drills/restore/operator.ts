import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { cleanEnv } from '@notify/testkit';
import type { System } from '../../kit/system/system.ts';

const execute = promisify(execFile);
const main = path.resolve(import.meta.dirname, '../../../apps/operator/src/main.ts');

/** The operator of the system, who has the keys that the processes have. */
export interface Operator {
  /** Runs a command of `npm run notify`. Rejects with its output if it does not exit with 0. */
  run(...args: string[]): Promise<string>;
}

export function operatorOf({ postgres, redis, env: given }: System<{ readonly url: string }>): Operator {
  const env = cleanEnv({
    ...given,
    NOTIFY_MODE: 'production',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
  });
  return {
    async run(...args) {
      try {
        return (await execute(process.execPath, [main, ...args], { env })).stdout.trimEnd();
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
      }
    },
  };
}

import { settingsTable } from '@notify/runtime';

/** Variables that npm and the tests set for this process, and those of examples. npm's own configuration stays. */
const foreign = /^npm_(?!config_)|^npm_config_.*prefix$|^NOTIFY_|^NODE_(ENV|OPTIONS|COMPILE_CACHE)$/;

/** Our environment as a new shell would have it: without settings of the service, and without what npm set for us. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const settings = new Set(Object.values(settingsTable).map((setting): string => setting.variable));
  const entries = Object.entries(process.env).filter(([name]) => !settings.has(name) && !foreign.test(name));
  return Object.fromEntries(entries);
}

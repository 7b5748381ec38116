import path from 'node:path';
import { build, type Rolldown } from 'vite';

// Prints the whole SDK as one minified module. A separate program, because the bundler does not run within Jest.
const built = await build({
  configFile: false,
  logLevel: 'silent',
  build: {
    write: false,
    minify: true,
    target: 'es2022',
    rolldownOptions: {
      input: path.resolve(import.meta.dirname, '../src/index.ts'),
      preserveEntrySignatures: 'strict',
    },
  },
});
const { output } = built as Rolldown.RolldownOutput;
process.stdout.write(output.map((one) => (one.type === 'chunk' ? one.code : '')).join(''));

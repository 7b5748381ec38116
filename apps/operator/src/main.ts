import { runCommandLine } from './command-line.ts';
import { ownEnvironment } from './config.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: ownEnvironment,
  input: process.stdin,
  print: (text) => console.log(text),
  complain: (line) => console.error(line),
});

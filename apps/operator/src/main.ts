import { runCommandLine } from './command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  print: (text) => console.log(text),
  complain: (line) => console.error(line),
});

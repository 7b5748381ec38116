import { parseArgs } from 'node:util';
import { longCourse, shortCourse } from './courses.ts';
import { endure } from './endure.ts';

/** Runs `listen` for 20 minutes, or with --short for one. Exits with 1 if an event is missing or out of order. */
const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const beganMs = performance.now();
const log = (line: string): void =>
  console.log(`${String(Math.round((performance.now() - beganMs) / 1_000)).padStart(5)} s  ${line}`);

const found = await endure(values.short ? shortCourse : longCourse, log);
console.log(JSON.stringify(found, null, 2));
const bad = found.missing.length + found.outOfOrder.length + found.unknown.length + found.unverified.length;
process.exitCode = bad === 0 && found.taken > 0 ? 0 : 1;

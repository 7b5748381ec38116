import { processNames } from '@notify/core';

const nameWidth = Math.max(...processNames.map(({ length }) => length));
/** Fields that every log line has, or that are shown at its beginning. */
const shownApart = new Set(['level', 'time', 'process', 'pid', 'msg']);

/**
 * A log line as a person reads it: time, process, level unless it is info, text, and the other fields as `key=value`.
 * Lines that are not JSON pass unchanged after the name of their process.
 */
export function readableLine(process: string, line: string): string {
  const name = process.padEnd(nameWidth);
  const fields = parse(line);
  if (fields === null) return `${name}  ${line}`;
  const time = String(fields['time']).slice(11, 19);
  const level = fields['level'] === 'info' ? '' : `${String(fields['level']).toUpperCase()} `;
  const text = typeof fields['msg'] === 'string' ? fields['msg'] : '';
  const rest = Object.entries(fields).filter(([key]) => !shownApart.has(key));
  const pairs = rest.map(
    ([key, value]) => `  ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${time}  ${name}  ${level}${text}${pairs.join('')}`;
}

/** Whether a line is a line of a log, as JSON. */
export function isLogLine(line: string): boolean {
  return parse(line) !== null;
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'level' in value ? { ...value } : null;
  } catch {
    return null;
  }
}

/*
 * Lays a statement out: only its white space changes. Lines break where the source breaks them, and where they would be too long.
 */

const width = 120;

/** The statement in lines. */
export function layOut(sql: string): string[] {
  const lines = sql
    .trim()
    .replace(/^with (?!recursive)/, 'with\n')
    .replaceAll(/\), (?=\w+ as (?:not )?(?:materialized )?\()/g, '),\n')
    .split('\n')
    .map((line) => line.trim().replaceAll(/ {2,}/g, ' '))
    .filter((line) => line !== '');
  /** The indents of the lines that opened the parentheses. */
  const open: number[] = [];
  return lines.flatMap((line, at) => {
    const closing = /^\)*/.exec(line)![0].length;
    const base = open.length === 0 ? 0 : open.at(-1)! + 2;
    const indent = at === 0 ? 0 : closing > 0 ? open.at(-closing)! : base + continuation(line);
    for (const bracket of line.replaceAll(/'[^']*'/g, '').match(/[()]/g) ?? [])
      if (bracket === '(') open.push(indent);
      else open.pop();
    return wrap(line, indent);
  });
}

const clause =
  /^(?:with|select|insert|update|delete|set|values|from|where|join|left join|cross join|group by|order by|limit|for|on conflict|returning|union all)\b/;

/** How much further a line stands than the clause that it belongs to. */
function continuation(line: string): number {
  if (clause.test(line)) return 0;
  if (/^then\b/.test(line)) return 6;
  return /^(?:when|else)\b/.test(line) ? 4 : 2;
}

/** Breaks a long line after a comma, or before a word that begins a part. What follows stands a little further right. */
function wrap(line: string, indent: number): string[] {
  const lines: string[] = [];
  let rest = ' '.repeat(indent) + line;
  while (rest.length > width) {
    const breaks = rest.matchAll(
      /, (?=[^']*(?:'[^']*'[^']*)*$)| (?=(?:and|or|from|where|join|then|else|as) )/g,
    );
    const ends = Array.from(breaks, ({ 0: text, index }) => (text === ', ' ? index + 1 : index));
    const possible = ends.filter((end) => end > indent + 20);
    const end = possible.findLast((one) => one <= width) ?? possible[0];
    if (end === undefined) break;
    lines.push(rest.slice(0, end));
    rest = ' '.repeat(indent + 2) + rest.slice(end + 1);
  }
  return [...lines, rest];
}

/** One line of a difference. */
export interface Changed {
  readonly kind: ' ' | '+' | '-';
  readonly line: string;
}

/** What is another line in `after`. Numbers of parameters do not count. Each place begins with the line that names its part. */
export function difference(before: readonly string[], after: readonly string[]): Changed[] {
  const [old, now] = [before.map(unnumbered), after.map(unnumbered)];
  const common = Array.from({ length: old.length + 1 }, () => now.map(() => 0).concat(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i]![j] =
        old[i] === now[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const changed: Changed[] = [];
  let part = '';
  let told = '';
  const tell = (kind: '+' | '-', line: string): void => {
    if (part !== told && part !== line) changed.push({ kind: ' ', line: part });
    told = part;
    changed.push({ kind, line });
  };
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      if (/^ {0,2}(?:\w+ as |select)/.test(now[j]!)) part = after[j]!;
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      tell('-', before[i++]!);
    else tell('+', after[j++]!);
  }
  return changed;
}

function unnumbered(line: string): string {
  return line.replaceAll(/\$\d+/g, '$');
}

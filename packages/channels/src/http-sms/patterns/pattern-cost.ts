/**
 * What all patterns of an account may cost to compile, in steps. A step took up to 12 µs when measured, so they take at most
 * 20 ms, also in a process that has compiled none before.
 */
export const maxCompileSteps = 1_000;

/** A class of Unicode: `\pL` becomes a table of up to 1,300 ranges. Under `(?i)`, the other case of each is added. */
const unicodeClassSteps = 50;
const foldedClassSteps = 250;
/** The same class again, whose table is there: 0.3 ms at most when measured. */
const knownClassSteps = 25;
/** Under `(?i)`, each character of a range is folded by itself. */
const foldedPerStep = 10;
/** The last character with another case (RE2's tables). What lies above is not folded. */
const lastFolded = 0x1_e943;

interface Scan {
  readonly pattern: string;
  readonly ignoresCase: boolean;
  at: number;
  /** The steps of the tables of all classes. A repetition does not repeat them. */
  tables: number;
  readonly known: Set<string>;
}

/**
 * An estimate of the steps that compiling a pattern takes, without compiling it. Repetitions multiply: `(a{30}){30}` counts
 * as 900 and more. The estimate is rather too high than too low, and works for invalid patterns, too.
 *
 * @param known the classes of Unicode whose folded tables are counted already; this pattern's are added
 */
export function compileSteps(pattern: string, known = new Set<string>()): number {
  const scan: Scan = { pattern, ignoresCase: /\(\?[a-zA-Z^-]*i/.test(pattern), at: 0, tables: 0, known };
  let steps = 1;
  for (; scan.at < pattern.length; scan.at += 1) steps += sequence(scan);
  return steps + scan.tables;
}

/** Everything up to the end or an unopened `)`, which it leaves to the caller. */
function sequence(scan: Scan): number {
  let steps = 0;
  while (scan.at < scan.pattern.length && scan.pattern[scan.at] !== ')') steps += repeated(atom(scan), scan);
  return steps;
}

/** The steps of an atom with the repetitions after it. `{3,}` becomes four copies, `{3,5}` five. */
function repeated(once: number, scan: Scan): number {
  let steps = once;
  for (;;) {
    const found = match(scan, /[*+?]|\{(\d+)(?:(,)(\d*))?\}/y);
    if (found === null) return steps;
    const [, least, comma, most] = found;
    if (least === undefined) steps += 1;
    else steps = (steps + 1) * Math.max(1, Number(least) + (comma === undefined ? 0 : 1), Number(most ?? 0));
  }
}

function atom(scan: Scan): number {
  if (match(scan, /\((?:\?(?:P?<\w*>|[a-zA-Z^-]*:?))?/y) !== null) {
    const steps = sequence(scan);
    scan.at += 1;
    return steps + 2;
  }
  if (match(scan, /\[\^?/y) !== null) return characterClass(scan);
  const quoted = match(scan, /\\Q([^]*?)(?:\\E|$)/y);
  if (quoted !== null) return quoted[1]!.length;
  member(scan);
  return 1;
}

/** A class after its opening bracket. A `]` right at the beginning is a character of it. */
function characterClass(scan: Scan): number {
  for (let first = true; scan.at < scan.pattern.length; first = false) {
    if (!first && match(scan, /\]/y) !== null) break;
    scan.tables += 1;
    if (match(scan, /\[:\^?\w*:\]/y) !== null) continue;
    const low = member(scan);
    if (match(scan, /-(?!\])/y) === null) continue;
    const high = member(scan);
    if (scan.ignoresCase) scan.tables += foldSteps(low, high);
  }
  return 1;
}

function foldSteps(low: number, high: number): number {
  return Math.max(0, Math.min(high, lastFolded) - low) / foldedPerStep;
}

/** Passes one character or escape. Returns the character that it means; 0 for a class. */
function member(scan: Scan): number {
  const named = match(scan, /\\[pP](?:\{\^?([^}]*)\}?|(.?))/suy);
  if (named !== null) {
    scan.tables += classSteps(named[1] ?? named[2] ?? '', scan);
    return 0;
  }
  const [whole = '', long, short, octal, escaped] =
    match(scan, /\\x\{([0-9a-fA-F]+)\}|\\x([0-9a-fA-F]{2})|\\([0-7]{1,3})|\\(.)|./suy) ?? [];
  if (whole === '') scan.at += 1;
  const code = long ?? short;
  if (code !== undefined) return parseInt(code, 16);
  if (octal !== undefined) return parseInt(octal, 8);
  return (escaped ?? whole).codePointAt(0) ?? 0;
}

/** The table of a class with its other cases is made once for all patterns. */
function classSteps(name: string, { ignoresCase, known }: Scan): number {
  if (!ignoresCase) return unicodeClassSteps;
  if (known.has(name)) return knownClassSteps;
  known.add(name);
  return foldedClassSteps;
}

/** What a sticky expression finds here; the scan moves behind it. */
function match(scan: Scan, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = scan.at;
  const found = expression.exec(scan.pattern);
  if (found !== null) scan.at += found[0].length;
  return found;
}

/** A table as CSV (RFC 4180) in UTF-8 with its mark, so that spreadsheets read it right. The first row holds the names. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** Spreadsheets run cells that begin so, also after spaces (OWASP: CSV injection). An apostrophe makes them text. */
const runs = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

function cell(text: string): string {
  const safe = runs.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

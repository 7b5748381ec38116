/** Something that the list of commands offers. */
export interface Command {
  readonly label: string;
  /** The keys of its shortcut: `g m`. */
  readonly keys?: string;
  readonly run: () => void;
  /** Whether it leads to another page, which then takes the focus. */
  readonly leaves?: boolean;
}

/** The commands whose label has every typed word, in their order. */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

/** The recipient that somebody typed: a phone number with its plus. Null for anything else. */
export function recipientIn(typed: string): string | null {
  const number = typed.replaceAll(/[\s()-]/g, '');
  return /^\+\d{6,15}$/.test(number) ? number : null;
}

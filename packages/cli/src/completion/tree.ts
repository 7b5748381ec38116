import { type Description, optionName } from '../description.ts';

/** A place on the command line: what may come next. */
export interface Place {
  /** The words so far: empty, `messages` or `messages list`. */
  readonly words: string;
  readonly next: readonly Offer[];
  readonly options: readonly OfferedOption[];
  /** The values of its argument, if they are few. */
  readonly values: readonly string[];
}

/** A word that can come next. */
export interface Offer {
  readonly word: string;
  readonly about: string;
}

export interface OfferedOption extends Offer {
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

const everywhere: readonly OfferedOption[] = [
  { word: '--json', about: 'Print the JSON of the API', takesValue: false, values: [] },
  { word: '--profile', about: 'Use this saved login', takesValue: true, values: [] },
  { word: '--help', about: 'Show help', takesValue: false, values: [] },
];

/** Every place on the command line, the program's own first. */
export function placesOf(
  commands: readonly Description[],
  groups: Readonly<Record<string, string>>,
): Place[] {
  const under = (group: string): Offer[] =>
    commands
      .filter(({ name }) => name.startsWith(`${group} `))
      .map(({ name, summary }) => ({ word: name.slice(group.length + 1), about: summary }));
  const first = new Map(
    commands.map(({ name, summary }): [string, string] => {
      const [word = ''] = name.split(' ');
      return [word, word === name ? summary : (groups[word] ?? '')];
    }),
  );
  const offers = [...first].map(([word, about]) => ({ word, about }));
  const groupNames = [...first.keys()].filter((word) => under(word).length > 0);
  return [
    { words: '', next: offers, options: everywhere, values: [] },
    ...groupNames.map((words) => ({ words, next: under(words), options: everywhere, values: [] })),
    ...commands.map((command) => ({
      words: command.name,
      next: [],
      options: [...optionsOf(command), ...everywhere],
      values: Object.values(command.arguments).flatMap(({ choices }) => choices ?? []),
    })),
  ];
}

function optionsOf({ options }: Description): OfferedOption[] {
  return Object.entries(options).map(([name, { about, value, choices }]) => ({
    word: optionName(name),
    about,
    takesValue: value !== null,
    values: choices ?? [],
  }));
}

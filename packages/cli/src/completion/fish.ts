import { type Place } from './tree.ts';

/** The completion for fish 3 and later. */
export function fishCompletion(program: string, places: readonly Place[]): string {
  const steps = places.flatMap(({ words, next }) =>
    next.map(
      ({ word }) =>
        `      case ${quoted(`${words}|${word}`)}\n        set place ${quoted(`${words} ${word}`.trim())}`,
    ),
  );
  const offers = places.flatMap(({ words, next, options, values }) => {
    const at = `complete -c ${program} -n ${quoted(`__${program}_at ${quoted(words)}`)}`;
    return [
      ...next.map(({ word, about }) => `${at} -a ${quoted(word)} -d ${quoted(about)}`),
      ...values.map((word) => `${at} -a ${quoted(word)}`),
      ...options.map(({ word, about, takesValue, values: known }) => {
        const value = known.length > 0 ? ` -x -a ${quoted(known.join(' '))}` : ' -r -F';
        return `${at} -l ${word.slice(2)}${takesValue ? value : ''} -d ${quoted(about)}`;
      }),
    ];
  });
  return `# Completion of ${program} for fish. Save it: ${program} completion fish > ~/.config/fish/completions/${program}.fish
function __${program}_at
  set -l place ''
  set -l typed (commandline -opc)
  for word in $typed[2..-1]
    switch "$place|$word"
${steps.join('\n')}
    end
  end
  test "$place" = "$argv[1]"
end
complete -c ${program} -f
${offers.join('\n')}
`;
}

/** In single quotes fish knows \\\\ and \\' only. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}

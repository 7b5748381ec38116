import { type Offer, type Place } from './tree.ts';

/** The completion for zsh 5 and later, for a file in $fpath or to be sourced. */
export function zshCompletion(program: string, places: readonly Place[]): string {
  const steps = places.flatMap(({ words, next }) =>
    next.map(
      ({ word }) => `      ${quoted(`${words}|${word}`)}) place=${quoted(`${words} ${word}`.trim())} ;;`,
    ),
  );
  const values = places.flatMap(({ words, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ word, values: known }) => {
        const act = known.length > 0 ? `compadd -- ${known.join(' ')}` : '_files';
        return `    ${quoted(`${words}|${word}`)}) ${act}; return ;;`;
      }),
  );
  const offers = places.map(({ words, next, options, values: known }) => {
    const given = [...next, ...known.map((word) => ({ word, about: '' }))];
    return `    ${quoted(words)})
      commands=(${given.map(described).join(' ')})
      options=(${options.map(described).join(' ')})
      ;;`;
  });
  return `#compdef ${program}
# Completion of ${program} for zsh. Load it in ~/.zshrc, after compinit: source <(${program} completion zsh)
_${program}() {
  local place= index
  local -a commands options
  for ((index = 2; index < CURRENT; index++)); do
    case "$place|$words[index]" in
${steps.join('\n')}
    esac
  done
  case "$place|$words[CURRENT-1]" in
${values.join('\n')}
  esac
  case "$place" in
${offers.join('\n')}
  esac
  _describe -t commands command commands
  _describe -o -t options option options
}
if [ "$funcstack[1]" = _${program} ]; then
  _${program} "$@"
else
  compdef _${program} ${program}
fi
`;
}

function described({ word, about }: Offer): string {
  return quoted(`${word.replaceAll(':', String.raw`\:`)}${about === '' ? '' : `:${about}`}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

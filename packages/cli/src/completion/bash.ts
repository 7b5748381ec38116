import { type Place } from './tree.ts';

/** The completion for bash 3.2 and later. */
export function bashCompletion(program: string, places: readonly Place[]): string {
  const steps = places.flatMap(({ words, next }) =>
    next.map(
      ({ word }) => `      ${quoted(`${words}|${word}`)}) place=${quoted(`${words} ${word}`.trim())} ;;`,
    ),
  );
  const values = places.flatMap(({ words, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ word, values: known }) =>
        known.length > 0
          ? `    ${quoted(`${words}|${word}`)}) offers=${quoted(known.join(' '))} ;;`
          : `    ${quoted(`${words}|${word}`)}) return ;;`,
      ),
  );
  const offers = places.map(({ words, next, options, values: known }) => {
    const given = [...next.map(({ word }) => word), ...known].join(' ');
    const dashed = options.map(({ word }) => word).join(' ');
    return `    ${quoted(words)}) offers=${quoted(given)} options=${quoted(dashed)} ;;`;
  });
  return `# Completion of ${program} for bash. Load it in ~/.bashrc: source <(${program} completion bash)
_${program}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local place= offers= options= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$place|\${COMP_WORDS[index]}" in
${steps.join('\n')}
    esac
  done
  COMPREPLY=()
  case "$place|$previous" in
${values.join('\n')}
  esac
  # Options are many, so they are offered after a dash, or where nothing else is.
  [ -n "$offers" ] || case "$place" in
${offers.join('\n')}
  esac
  case "$current|$offers" in
    -*) offers=$options ;;
    '|') offers=$options ;;
  esac
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -o default -F _${program} ${program}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

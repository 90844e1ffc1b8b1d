import { type Command, type CommandTable, EXIT, takeArguments, UsageError } from './command.ts';
import { didYouMean } from './did-you-mean.ts';

/** All commands with their modules loaded. */
type Commands = Readonly<Record<string, Command & { readonly summary: string }>>;

const SCRIPTS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: bashScript,
  // zsh emulates bash's completion with its own `bashcompinit`.
  zsh: (commands) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};
const SHELLS = Object.keys(SCRIPTS);

export const completion: Command = {
  usage: 'bash | zsh | fish',
  help: `Prints a script for the shell: with it the Tab key completes commands, options, values such as qualities and presets, and
file names.

Examples
  source <(styledna completion bash)                 # in ~/.bashrc; for zsh in ~/.zshrc
  styledna completion fish > ~/.config/fish/completions/styledna.fish`,
  options: {},
  choices: { '': SHELLS },
  async run(call) {
    const [shell] = takeArguments(call, SHELLS.join(' or ')) as [string];
    const script = SCRIPTS[shell];
    if (script === undefined || !SHELLS.includes(shell))
      throw new UsageError(
        `There is no completion for "${shell}"; available: ${SHELLS.join(', ')}${didYouMean(shell, SHELLS)}`,
      );
    console.log(script(await readAll(call.commands)));
    return EXIT.done;
  },
};

async function readAll(table: CommandTable): Promise<Commands> {
  const read = Object.entries(table).map(
    async ([name, { summary, load }]) => [name, { summary, ...(await load()) }] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

/** Without a suggestion bash completes file names. */
function bashScript(commands: Commands): string {
  const ofValues = Object.entries(commands).flatMap(([name, command]) =>
    valueOptions(command).map(({ flags, words }) => {
      const patterns = flags.map((flag) => `${name}/${flag}`).join('|');
      return `    ${patterns}) words="${words.join(' ')}"; value=1 ;;`;
    }),
  );
  const ofOptions = Object.entries(commands).map(
    ([name, command]) => `        ${name}) words="${longOptions(command).join(' ')}" ;;`,
  );
  const ofArguments = Object.entries(commands).flatMap(([name, { choices }]) =>
    choices?.[''] === undefined ? [] : [`        ${name}) words="${choices[''].join(' ')}" ;;`],
  );
  return `_styledna() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local words="" value=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${Object.keys(commands).join(' ')} --help --version"
  else
    case "$command/$before" in
${ofValues.join('\n')}
    esac
    if [ -z "$value" ]; then
      case "$word" in
      -*) case "$command" in
${ofOptions.join('\n')}
        esac ;;
      *) case "$command" in
${ofArguments.join('\n')}
        esac ;;
      esac
    fi
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}
complete -o bashdefault -o default -F _styledna styledna`;
}

function fishScript(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, command]) => {
    const within = `complete -c styledna -n "__fish_seen_subcommand_from ${name}"`;
    const words = new Map(valueOptions(command).map((option) => [option.name, option.words]));
    const ofOptions = Object.entries(command.options).map(([option, { type, short }]) => {
      const flags = `-l ${option}${short === undefined ? '' : ` -s ${short}`}`;
      const known = words.get(option) ?? [];
      const value = type === 'boolean' ? '' : known.length === 0 ? ' -r' : ` -x -a "${known.join(' ')}"`;
      return `${within} ${flags}${value}`;
    });
    const ofArguments =
      command.choices?.[''] === undefined ? [] : [`${within} -f -a "${command.choices[''].join(' ')}"`];
    const summary = command.summary.replaceAll(/["$\\\\]/g, '');
    return [
      `complete -c styledna -n __fish_use_subcommand -f -a ${name} -d "${summary}"`,
      ...ofOptions,
      ...ofArguments,
    ];
  });
  const always = [
    'complete -c styledna -l help -d "Shows help"',
    'complete -c styledna -n __fish_use_subcommand -l version -d "Shows the version"',
  ];
  return [...always, ...lines].join('\n');
}

/** Options that take a value, with their words; no words: a file, or any value. */
function valueOptions({ options, choices = {} }: Command) {
  return Object.entries(options)
    .filter(([, { type }]) => type === 'string')
    .map(([name, { short }]) => ({
      name,
      flags: [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
      words: choices[name] ?? [],
    }));
}

function longOptions({ options }: Command): string[] {
  return [...Object.keys(options), 'help'].map((name) => `--${name}`);
}

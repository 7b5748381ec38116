import { choiceArgument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { placesOf } from './tree.ts';
import { zshCompletion } from './zsh.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
const shells = ['bash', 'zsh', 'fish'] as const;

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print the completion for a shell.',
  arguments: { shell: choiceArgument(shells, 'bash, zsh or fish.') },
  examples: [
    { does: 'In ~/.bashrc', line: 'completion bash', shown: 'source <(notifyctl completion bash)' },
    {
      does: 'In ~/.zshrc, after compinit',
      line: 'completion zsh',
      shown: 'source <(notifyctl completion zsh)',
    },
    { does: 'For fish', line: 'completion fish > ~/.config/fish/completions/notifyctl.fish' },
  ],
  async run({ program: { name, commands, groups }, output }, { shell }) {
    output.raw(scripts[shell](name, placesOf(commands, groups)));
  },
});

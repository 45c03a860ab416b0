export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

export interface Stage {
  /** Empty for a stage without a name. */
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile without heredocs, build arguments and variables. */
export function stagesOf(dockerfile: string): Stage[] {
  const instructions = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
      return { word, rest };
    });
  const starts = instructions.flatMap(({ word }, index) => (word === 'FROM' ? [index] : []));
  return starts.map((start, index) => {
    const [base = '', , name = ''] = instructions[start]?.rest.split(' ') ?? [];
    return { name, base, instructions: instructions.slice(start + 1, starts[index + 1]) };
  });
}

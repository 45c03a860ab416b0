import { typeName } from './round-list.tsx';

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  readonly chosen?: string | undefined;
}

export function Choice({ name, label, options, chosen }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        <option value="">any</option>
        {options.map((option) => (
          <option value={option} selected={option === chosen} key={option}>
            {typeName(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

import { typeName } from './round-list.tsx';

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  readonly chosen?: string | undefined;
  /** Whether one of them must be chosen. */
  readonly must?: boolean;
}

/** A field of a form in which one of some names is chosen. */
export function Choice({ name, label, options, chosen, must }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        {must !== true && <option value="">any</option>}
        {options.map((option) => (
          <option value={option} selected={option === chosen} key={option}>
            {typeName(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

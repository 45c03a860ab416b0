interface TabsProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

export function Tabs<Value extends string>({ label, name, options, value, choose }: TabsProps<Value>) {
  return (
    <fieldset class="tabs">
      <legend class="visually-hidden">{label}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => choose(option)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

import type { ComponentChildren } from 'preact';

import { Heads, Scroll } from './tables.tsx';

interface TableBehindProps {
  /** The table's caption. */
  readonly of: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A diagram's figures as a table, for screen readers and others. */
export function TableBehind({ of, columns, rows }: TableBehindProps) {
  return (
    <details class="behind">
      <summary>
        As a table<span class="visually-hidden">: {of}</span>
      </summary>
      <Scroll label={`Table: ${of}`}>
        <table>
          <caption class="visually-hidden">{of}</caption>
          <Heads of={columns.map((column) => [column])} />
          <tbody>
            {rows.map((cells) => (
              <tr>
                {cells.map((cell) => (
                  <td>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}

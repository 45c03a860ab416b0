import type { ComponentChildren } from 'preact';

import { Scroll } from './tables.tsx';

interface TableBehindProps {
  /** What the table holds, as its caption. */
  readonly of: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** The figures of a diagram, for who wants them, or cannot see it. */
export function TableBehind({ of, columns, rows }: TableBehindProps) {
  return (
    <details class="behind">
      <summary>
        As a table<span class="visually-hidden">: {of}</span>
      </summary>
      <Scroll label={`Table: ${of}`}>
        <table>
          <caption class="visually-hidden">{of}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col">{column}</th>
              ))}
            </tr>
          </thead>
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

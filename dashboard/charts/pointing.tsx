import { useRef, useState } from 'preact/hooks';

import type { Plane } from './scales.ts';

/** In pixels of the plane; without `x` or `y` anywhere along that side. */
export interface Place {
  readonly x?: number;
  readonly y?: number;
}

export interface Reading {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** Marked positions in the plane. */
  readonly marks?: readonly (readonly [x: number, y: number])[];
}

export interface Pointable {
  /** Arrow keys follow this order. */
  readonly places: (plane: Plane) => readonly Place[];
  readonly read: (index: number, plane: Plane) => Reading;
}

interface PointingProps {
  readonly plane: Plane;
  readonly of: Pointable;
  readonly label: string;
}

/** The values nearest to the pointer, a finger or the position of the arrow keys. */
export function Pointing({ plane, of, label }: PointingProps) {
  const [chosen, choose] = useState<number | null>(null);
  const keys = useRef<HTMLInputElement>(null);
  const places = of.places(plane);
  const last = places.length - 1;
  if (last < 0) return null;
  const index = chosen === null ? null : Math.min(chosen, last);
  const reading = index === null ? null : of.read(index, plane);
  const point = ({ currentTarget, clientX, clientY }: PointerEvent): void => {
    if (!(currentTarget instanceof Element)) return;
    const { left, top } = currentTarget.getBoundingClientRect();
    choose(nearest(places, { x: clientX - left, y: clientY - top }));
  };
  return (
    // Keyboards use the range inside, which shows the same.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      class="pointing"
      onPointerMove={point}
      onPointerDown={point}
      onPointerUp={() => keys.current?.focus({ preventScroll: true })}
      onPointerLeave={() => document.activeElement === keys.current || choose(null)}
    >
      <input
        ref={keys}
        type="range"
        max={last}
        value={index ?? last}
        aria-label={`Values, one by one: ${label}`}
        aria-valuetext={reading ? spokenText(reading) : undefined}
        onFocus={() => choose((before) => before ?? last)}
        onBlur={() => choose(null)}
        onInput={(event) => choose(Number(event.currentTarget.value))}
      />
      {reading && index !== null && <Shown reading={reading} place={places[index] ?? {}} plane={plane} />}
    </div>
  );
}

function nearest(places: readonly Place[], { x, y }: Required<Place>): number {
  const far = places.map((place) => Math.hypot((place.x ?? x) - x, (place.y ?? y) - y));
  return far.indexOf(Math.min(...far));
}

function spokenText({ title, rows }: Reading): string {
  return `${title}: ${rows.map((row) => row.join(' ')).join(', ')}`;
}

interface ShownProps {
  readonly reading: Reading;
  readonly place: Place;
  readonly plane: Plane;
}

/** On the side with more room, so that a finger does not hide it. */
function Shown({ reading: { title, rows, marks = [] }, place: { x, y }, plane: { width, height } }: ShownProps) {
  const isRight = (x ?? 0) > width / 2;
  const aside = x === undefined ? 0 : isRight ? width - x : x;
  const below = y === undefined || x !== undefined ? 0 : Math.max(0, Math.min(y, height) - 40);
  return (
    <>
      <svg width={width} height={height} aria-hidden="true">
        {x !== undefined && <line x1={x} x2={x} y2={height} />}
        {marks.map(([cx, cy]) => (
          <circle cx={cx} cy={cy} r={4} />
        ))}
      </svg>
      <div
        class="reading"
        aria-hidden="true"
        style={{ top: `${below}px`, [isRight ? 'right' : 'left']: `${aside + 10}px` }}
      >
        <b>{title}</b>
        {rows.map(([name, value]) => (
          <span key={name}>
            {name} <b>{value}</b>
          </span>
        ))}
      </div>
    </>
  );
}

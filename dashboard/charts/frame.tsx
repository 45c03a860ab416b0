import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { type Pointable, Pointing } from './pointing.tsx';
import type { Plane, Scale } from './scales.ts';

interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** On a phone, in pixels. */
const NARROW = 420;
const NARROW_RIGHT = 58;

interface FrameProps {
  readonly height: number;
  readonly margins: Margins;
  /** The right margin on a phone, in pixels. */
  readonly narrowRight?: number;
  /** Describes the diagram and its main figures for screen readers. */
  readonly label: string;
  /** Values for pointer and keys. */
  readonly values: Pointable;
  /** Draws within the plane, whose upper left corner is 0, 0. */
  readonly children: (plane: Plane) => ComponentChildren;
}

/** Fills the available width; drawn in pixels, so that texts keep their size. */
export function Frame({ height, margins, narrowRight = NARROW_RIGHT, label, values, children }: FrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const [whole, setWhole] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    setWhole(element.clientWidth);
    const observer = new ResizeObserver(() => setWhole(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const around = whole < NARROW ? { ...margins, right: Math.min(margins.right, narrowRight) } : margins;
  const plane = {
    width: Math.max(0, whole - around.left - around.right),
    height: height - around.top - around.bottom,
    isNarrow: whole < NARROW,
  };
  return (
    <div class="frame" ref={box} style={{ height: `${height}px` }}>
      {whole > 0 && (
        <>
          <svg width={whole} height={height} role="img" aria-label={label}>
            <g transform={`translate(${margins.left} ${margins.top})`}>{children(plane)}</g>
          </svg>
          <div
            class="plane"
            style={{
              left: `${margins.left}px`,
              top: `${margins.top}px`,
              width: `${plane.width}px`,
              height: `${plane.height}px`,
            }}
          >
            <Pointing plane={plane} of={values} label={label} />
          </div>
        </>
      )}
    </div>
  );
}

interface AxisProps {
  readonly plane: Plane;
  readonly scale: Scale;
  readonly at: readonly number[];
  readonly text: (value: number) => string;
}

export function YAxis({ plane, scale, at, text }: AxisProps) {
  return (
    <g class="axis">
      {at.map((value) => (
        <g transform={`translate(0 ${scale(value).toFixed(1)})`} key={value}>
          <line x2={plane.width} />
          <text x={-8} dy="0.32em" text-anchor="end">
            {text(value)}
          </text>
        </g>
      ))}
    </g>
  );
}

export function XAxis({ plane, scale, at, text }: AxisProps) {
  return (
    <g class="axis" transform={`translate(0 ${plane.height})`}>
      {at.map((value) => (
        <g transform={`translate(${scale(value).toFixed(1)} 0)`} key={value}>
          <line y2={5} />
          <text y={18} text-anchor="middle">
            {text(value)}
          </text>
        </g>
      ))}
    </g>
  );
}

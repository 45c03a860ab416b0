import { readdirSync, readFileSync } from 'node:fs';

/** Fields of /proc/PID/stat after the name: parent; user time, system time, and those of ended children. */
const PARENT = 1;
const TIMES = [11, 12, 13, 14];
const TICK_MS = 10;

/** Milliseconds of these processes and their ended children; NaN except on Linux. */
export function processorMs(pids: readonly number[]): number {
  if (process.platform !== 'linux') return Number.NaN;
  return pids.reduce((sum, pid) => sum + timeOf(pid), 0);
}

/** `pid` and its children. */
export function withChildren(pid: number): readonly number[] {
  if (process.platform !== 'linux') return [pid];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [pid, ...all.map(Number).filter((child) => Number(statOf(child)[PARENT]) === pid)];
}

function timeOf(pid: number): number {
  const fields = statOf(pid);
  return TIMES.reduce((sum, field) => sum + Number(fields[field] ?? 0), 0) * TICK_MS;
}

/** Empty if the process has ended. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

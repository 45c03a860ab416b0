/** Where an error of an answer has left null: at `path` itself or, where nothing could be null there, above it. */
export function nullPlace(data: unknown, path: readonly (string | number)[]): readonly (string | number)[] {
  let value = data;
  const place: (string | number)[] = [];
  for (const key of path) {
    if (typeof value !== 'object' || value === null) break;
    value = Reflect.get(value, key);
    place.push(key);
  }
  return place;
}

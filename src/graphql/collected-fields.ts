import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';

/** A node with selections, and the names of the fragments around it, which must not be spread in it again. */
export interface Part<Node = { readonly selectionSet?: SelectionSetNode | undefined }> {
  readonly node: Node;
  readonly inside: readonly string[];
}

interface CollectOptions {
  readonly fragmentOf: (name: string) => FragmentDefinitionNode | undefined;
  readonly isTaken?: (selection: SelectionNode) => boolean;
  readonly onSet?: (set: SelectionSetNode) => void;
}

export function collectedFields(
  parts: readonly Part[],
  { fragmentOf, isTaken = () => true, onSet = () => {} }: CollectOptions,
): ReadonlyMap<string, readonly Part<FieldNode>[]> {
  const fields: Part<FieldNode>[] = [];
  const spread = new Set<string>();
  const collect = ({ node: { selectionSet: set }, inside }: Part): void => {
    if (set === undefined) return;
    onSet(set);
    for (const node of set.selections) {
      const name = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : null;
      if ((name !== null && (spread.has(name) || inside.includes(name))) || !isTaken(node)) continue;
      if (node.kind === Kind.FIELD) fields.push({ node, inside });
      if (node.kind === Kind.INLINE_FRAGMENT) collect({ node, inside });
      if (name === null) continue;
      spread.add(name);
      collect({ node: fragmentOf(name) ?? {}, inside: [...inside, name] });
    }
  };
  parts.forEach(collect);
  return Map.groupBy(fields, ({ node }) => (node.alias ?? node.name).value);
}

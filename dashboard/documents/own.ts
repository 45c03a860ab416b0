import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type OwnResultsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnResultsQuery = { readonly me: { readonly id: number, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly roundId: number, readonly prediction: string | null, readonly pnlUsd: number | null }> } } | null };

export const OwnResults = "query OwnResults{me{id predictions(first:2){nodes{roundId prediction pnlUsd}}}}" as Document<OwnResultsQuery, OwnResultsQueryVariables>;

import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/**
 * Who sees what an agent answers: everybody at once (`open`), or until the round is over the agent alone (`sealed`). A round is
 * over when it is `resolving`, `resolved` or `void`.
 */
export type Picks =
  /** Everybody sees it at once. */
  | 'open'
  /** The agent alone sees it until the round is over. */
  | 'sealed';

export type HelloQueryVariables = Exact<{ [key: string]: never; }>;


export type HelloQuery = { readonly health: { readonly picks: Picks, readonly lastSeq: number, readonly version: string, readonly marketSource: string, readonly warning: string | null, readonly clock: { readonly now: string, readonly speed: number } } };

export const Hello = "query Hello{health{clock{now speed}picks lastSeq version marketSource warning}}" as Document<HelloQuery, HelloQueryVariables>;

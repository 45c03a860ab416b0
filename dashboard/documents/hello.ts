import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type HelloQueryVariables = Exact<{ [key: string]: never; }>;


export type HelloQuery = { readonly health: { readonly lastSeq: number, readonly warning: string | null, readonly clock: { readonly now: string, readonly speed: number } } };

export const Hello = "query Hello{health{clock{now speed}lastSeq warning}}" as Document<HelloQuery, HelloQueryVariables>;

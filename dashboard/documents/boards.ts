import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type HoldersQueryVariables = Exact<{ [key: string]: never; }>;


export type HoldersQuery = { readonly stats: { readonly totalAgents: number, readonly credentialHolders: { readonly bronze: number, readonly silver: number, readonly gold: number, readonly diamond: number } } };

export const Holders: Document<HoldersQuery, HoldersQueryVariables> = {"name":"Holders","text":"query Holders{stats{totalAgents credentialHolders{bronze silver gold diamond}}}"};

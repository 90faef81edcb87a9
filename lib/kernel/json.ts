/** What fits into a JSON column and a response body. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

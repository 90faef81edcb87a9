// What drizzle-kit reads to make migrations. Stores import the table files themselves.
export * from "./schema/chats";
export * from "./schema/models";
export * from "./schema/processes";
export * from "./schema/rate-limits";
export * from "./schema/sandboxes";
export * from "./schema/sessions";
export * from "./schema/users";

CREATE TABLE "chat_condensings" (
	"chat_id" uuid NOT NULL,
	"id" integer NOT NULL,
	"turn_id" uuid NOT NULL,
	"resume_at" text,
	"whole_from" text,
	"summary" text,
	"tokens_before" integer NOT NULL,
	"tokens_after" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_condensings_chat_id_id_pk" PRIMARY KEY("chat_id","id")
);
--> statement-breakpoint
CREATE TABLE "chat_events" (
	"chat_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"turn_id" uuid,
	"attempt" integer,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"source" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_events_chat_id_seq_pk" PRIMARY KEY("chat_id","seq")
);
--> statement-breakpoint
CREATE TABLE "chat_streams" (
	"chat_id" uuid PRIMARY KEY NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"title" text NOT NULL,
	"title_source" text DEFAULT 'default' NOT NULL,
	"model" text NOT NULL,
	"todos" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"read_seq" bigint DEFAULT 0 NOT NULL,
	"news_seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"chat_id" uuid NOT NULL,
	"id" text NOT NULL,
	"position" bigint NOT NULL,
	"role" text NOT NULL,
	"turn_id" uuid NOT NULL,
	"status" text NOT NULL,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"body_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_chat_id_id_pk" PRIMARY KEY("chat_id","id")
);
--> statement-breakpoint
CREATE TABLE "tool_calls" (
	"turn_id" uuid NOT NULL,
	"id" text NOT NULL,
	"step" integer NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"input" jsonb NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"boot_id" text,
	"action_seq" bigint,
	"ok" boolean,
	"output" jsonb,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "tool_calls_turn_id_id_pk" PRIMARY KEY("turn_id","id")
);
--> statement-breakpoint
CREATE TABLE "turn_steps" (
	"turn_id" uuid NOT NULL,
	"step" integer NOT NULL,
	"parts" jsonb NOT NULL,
	"finish_reason" text NOT NULL,
	"usage" jsonb,
	"cost_usd" double precision,
	"model" text NOT NULL,
	"attempt" integer NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "turn_steps_turn_id_step_pk" PRIMARY KEY("turn_id","step")
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chat_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"sandbox_id" uuid NOT NULL,
	"state" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"reason" text,
	"waiting" jsonb,
	"stop_requested" boolean DEFAULT false NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"step_allowance" integer NOT NULL,
	"cost_allowance_usd" double precision,
	"cost_usd" double precision,
	"stuck" jsonb DEFAULT '{"fromStep":0,"nudge":null}'::jsonb NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"run_id" uuid,
	"run_owner" text,
	"run_until" timestamp with time zone,
	"run_sleeps_until" timestamp with time zone,
	"exec" uuid,
	"exec_owner" text,
	"lease_until" timestamp with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lost" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "model_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid,
	"chat_id" uuid,
	"turn_id" uuid,
	"step" integer,
	"attempt" integer,
	"purpose" text NOT NULL,
	"model" text NOT NULL,
	"input_tokens" integer NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	"cache_read_tokens" integer DEFAULT 0 NOT NULL,
	"cache_write_tokens" integer DEFAULT 0 NOT NULL,
	"reasoning_tokens" integer DEFAULT 0 NOT NULL,
	"cost_usd" double precision,
	"estimated" boolean DEFAULT true NOT NULL,
	"prompt_chars" integer NOT NULL,
	"outcome" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "provider_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"sealed" text,
	"key_id" text,
	"base_url" text,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sealed_has_key_id" CHECK (("provider_keys"."sealed" IS NULL) = ("provider_keys"."key_id" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"owner" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"beat_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "sandbox_transitions" (
	"sandbox_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"from_state" text,
	"to_state" text NOT NULL,
	"event" text NOT NULL,
	"reason" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_transitions_sandbox_id_version_pk" PRIMARY KEY("sandbox_id","version")
);
--> statement-breakpoint
CREATE TABLE "sandboxes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"host_id" text,
	"generation" integer DEFAULT 1 NOT NULL,
	"wanted" text NOT NULL,
	"wanted_reason" text,
	"state" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"deadline_at" timestamp with time zone,
	"retry_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"lifecycle_error" jsonb,
	"snapshot" jsonb,
	"dev_servers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"slot" boolean DEFAULT false NOT NULL,
	"queued_at" timestamp with time zone,
	"idle_timeout_seconds" integer NOT NULL,
	"activity_at" timestamp with time zone DEFAULT now() NOT NULL,
	"git_remote" text,
	"base_commit" text,
	"branch" text,
	"kept_diff" jsonb,
	"kept_files" jsonb,
	"kept_work" jsonb,
	"lines_added" integer DEFAULT 0 NOT NULL,
	"lines_removed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"run_id" uuid,
	"run_owner" text,
	"run_until" timestamp with time zone,
	"run_sleeps_until" timestamp with time zone,
	"exec" uuid,
	"exec_owner" text,
	"lease_until" timestamp with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lost" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "hibernated_has_snapshot" CHECK ("sandboxes"."state" <> 'hibernated' OR "sandboxes"."snapshot" IS NOT NULL),
	CONSTRAINT "archived_has_nothing" CHECK ("sandboxes"."state" <> 'archived' OR ("sandboxes"."snapshot" IS NULL AND NOT "sandboxes"."slot")),
	CONSTRAINT "passing_has_deadline" CHECK ("sandboxes"."state" NOT IN ('provisioning','hibernating','restoring','archiving') OR "sandboxes"."deadline_at" IS NOT NULL OR "sandboxes"."queued_at" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "uploads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sandbox_id" uuid NOT NULL,
	"path" text NOT NULL,
	"content_base64" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_counts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"active" integer DEFAULT 0 NOT NULL,
	"archived" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"sandbox_id" uuid NOT NULL,
	"parent_id" uuid,
	"request_hash" text NOT NULL,
	"title" text NOT NULL,
	"title_source" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"model" text NOT NULL,
	"repo_url" text,
	"base_branch" text,
	"new_branch" text,
	"instructions" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"max_steps" integer,
	"max_cost_usd" double precision,
	"session_max_steps" integer,
	"session_max_cost_usd" double precision,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_activity_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp with time zone,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "start_tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"sandbox_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"status" text DEFAULT 'WORKING' NOT NULL,
	"phases" jsonb NOT NULL,
	"error" jsonb,
	"skills" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"cancel_requested" boolean DEFAULT false NOT NULL,
	"tries" integer DEFAULT 1 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"run_id" uuid,
	"run_owner" text,
	"run_until" timestamp with time zone,
	"run_sleeps_until" timestamp with time zone,
	"exec" uuid,
	"exec_owner" text,
	"lease_until" timestamp with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lost" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "chat_condensings" ADD CONSTRAINT "chat_condensings_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_events" ADD CONSTRAINT "chat_events_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_streams" ADD CONSTRAINT "chat_streams_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_turn_id_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turn_steps" ADD CONSTRAINT "turn_steps_turn_id_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_keys" ADD CONSTRAINT "provider_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_transitions" ADD CONSTRAINT "sandbox_transitions_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_counts" ADD CONSTRAINT "session_counts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_parent_id_sessions_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "start_tasks" ADD CONSTRAINT "start_tasks_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_events_notices" ON "chat_events" USING btree ("chat_id","at") WHERE kind = 'notice';--> statement-breakpoint
CREATE INDEX "chat_events_turn" ON "chat_events" USING btree ("turn_id","seq");--> statement-breakpoint
CREATE INDEX "chats_session" ON "chats" USING btree ("session_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_position" ON "messages" USING btree ("chat_id","position");--> statement-breakpoint
CREATE INDEX "messages_turn" ON "messages" USING btree ("turn_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tool_calls_order" ON "tool_calls" USING btree ("turn_id","step","position");--> statement-breakpoint
CREATE UNIQUE INDEX "turns_one_queued" ON "turns" USING btree ("chat_id") WHERE state = 'queued';--> statement-breakpoint
CREATE UNIQUE INDEX "turns_one_running" ON "turns" USING btree ("chat_id") WHERE state IN ('running', 'waiting_for_user');--> statement-breakpoint
CREATE INDEX "turns_open" ON "turns" USING btree ("state") WHERE state IN ('queued', 'running', 'waiting_for_user');--> statement-breakpoint
CREATE INDEX "turns_chat" ON "turns" USING btree ("chat_id","created_at");--> statement-breakpoint
CREATE INDEX "turns_sandbox" ON "turns" USING btree ("sandbox_id","state");--> statement-breakpoint
CREATE INDEX "model_calls_day" ON "model_calls" USING btree ("user_id","started_at");--> statement-breakpoint
CREATE INDEX "model_calls_session" ON "model_calls" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "model_calls_turn" ON "model_calls" USING btree ("turn_id");--> statement-breakpoint
CREATE INDEX "model_calls_chat" ON "model_calls" USING btree ("chat_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_keys_one" ON "provider_keys" USING btree ("user_id","provider");--> statement-breakpoint
CREATE INDEX "sandboxes_user" ON "sandboxes" USING btree ("user_id","slot");--> statement-breakpoint
CREATE INDEX "sandboxes_open" ON "sandboxes" USING btree ("state");--> statement-breakpoint
CREATE INDEX "sessions_list" ON "sessions" USING btree ("user_id","status","last_activity_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "sessions_sandbox" ON "sessions" USING btree ("sandbox_id");--> statement-breakpoint
CREATE INDEX "start_tasks_session" ON "start_tasks" USING btree ("session_id","generation");--> statement-breakpoint
CREATE INDEX "start_tasks_status" ON "start_tasks" USING btree ("status");
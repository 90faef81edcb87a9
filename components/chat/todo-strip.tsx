"use client";

import { useState } from "react";
import { TodoList } from "@/components/chat/parts/todo-list";
import { todosOf } from "@/components/chat/tool-fields";
import { classes } from "@/components/lib/classes";
import { Icon } from "@/components/ui/icon";

/** The agent's list above the composer while something in it is open: where it is, and on demand all of it. */
export function TodoStrip({ input }: { input: unknown }) {
  const [open, setOpen] = useState(false);
  const todos = todosOf(input);
  const done = todos.filter((todo) => todo.status === "completed").length;
  if (todos.length === done) return null;
  const now = todos.find((todo) => todo.status === "in_progress") ?? todos.find((todo) => todo.status === "pending");
  return (
    <section
      aria-label="Plan of the agent"
      className="mx-auto w-full max-w-3xl rounded-lg border border-line bg-surface"
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2 rounded-lg px-3 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
      >
        <Icon name="todo" className="size-4 text-ink-faint" />
        <bdi className="min-w-0 flex-1 truncate">{now?.content}</bdi>
        <span className="shrink-0 text-xs text-ink-faint tabular-nums">
          {done} of {todos.length} done
        </span>
        <Icon name="chevron" className={classes("size-3.5 text-ink-faint", open && "rotate-90")} />
      </button>
      {open && (
        <div className="scroll-area max-h-48 border-t border-line px-3 py-2">
          <TodoList todos={todos} />
        </div>
      )}
    </section>
  );
}

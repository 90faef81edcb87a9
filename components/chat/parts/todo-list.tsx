import type { Todo } from "@/components/chat/tool-fields";
import { classes } from "@/components/lib/classes";
import { Icon } from "@/components/ui/icon";

const STATUS = { completed: "Done", in_progress: "In work", pending: "Open" } as const;

/** The agent's own list. */
export function TodoList({ todos }: { todos: readonly Todo[] }) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {todos.map((todo, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list is replaced as a whole
        <li key={index} className="flex items-start gap-2">
          <TodoMark status={todo.status} />
          <span
            className={classes(
              "min-w-0 break-words",
              todo.status === "completed" && "text-ink-faint line-through",
              todo.status === "in_progress" && "font-medium",
            )}
          >
            <span className="sr-only">{STATUS[todo.status]}: </span>
            {todo.content}
          </span>
        </li>
      ))}
    </ul>
  );
}

function TodoMark({ status }: { status: Todo["status"] }) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        "mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border",
        status === "completed" && "border-ok bg-ok-soft text-ok",
        status === "in_progress" && "border-busy bg-busy-soft text-busy",
        status === "pending" && "border-line-strong",
      )}
    >
      {status === "completed" && <Icon name="check" className="size-3" />}
      {status === "in_progress" && <span className="size-1.5 rounded-full bg-busy" />}
    </span>
  );
}

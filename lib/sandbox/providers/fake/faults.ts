import type { SandboxError } from "@/lib/sandbox/errors";
import type { SandboxProvider } from "@/lib/sandbox/provider";

/** The operations of the port that a fault can hit. */
export type FakeOperation = Exclude<keyof SandboxProvider, "name" | "capabilities" | "close">;

/** Something that goes wrong, a number of times, with one kind of operation. */
export interface Fault {
  readonly op: FakeOperation;
  /** Only for this sandbox; for every one when absent. */
  readonly id?: string;
  /** How often it happens; once when absent. */
  readonly times?: number;
  /** Thrown. Without an error the operation only waits for `until`. */
  readonly error?: SandboxError;
  /** The operation takes place, and only its answer is lost. */
  readonly afterEffect?: boolean;
  /** The operation hangs until this settles. */
  readonly until?: Promise<unknown>;
}

/** The fault script of a fake provider: faults strike in the order in which they were pushed. */
export class FaultScript {
  private readonly planned: { fault: Fault; left: number }[] = [];

  push(...faults: Fault[]): void {
    for (const fault of faults) this.planned.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.planned.length = 0;
  }

  /** How many strikes are still to come; a test ends with none, or its script did not do what it says. */
  get pending(): number {
    return this.planned.reduce((total, each) => total + each.left, 0);
  }

  /** Runs an operation with the next fault that fits it, if there is one. */
  async around<T>(op: FakeOperation, id: string | null, effect: () => Promise<T> | T): Promise<T> {
    const fault = this.take(op, id);
    if (!fault) return effect();
    if (fault.afterEffect) {
      const result = await effect();
      await fault.until;
      if (fault.error) throw fault.error;
      return result;
    }
    await fault.until;
    if (fault.error) throw fault.error;
    return effect();
  }

  private take(op: FakeOperation, id: string | null): Fault | null {
    const index = this.planned.findIndex(({ fault }) => fault.op === op && (fault.id === undefined || fault.id === id));
    const found = this.planned[index];
    if (!found) return null;
    found.left -= 1;
    if (found.left <= 0) this.planned.splice(index, 1);
    return found.fault;
  }
}

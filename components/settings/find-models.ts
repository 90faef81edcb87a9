import type { ModelInfo } from "@/lib/model/contract";

/** A gateway has hundreds; more than this nobody scrolls through, and typing finds the rest. */
const SHOWN = 60;

/** The models whose name or reference holds every typed word, in their order, at most as many as anybody looks through. */
export function findModels(models: readonly ModelInfo[], typed: string): readonly ModelInfo[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = ({ label, ref }: ModelInfo) => {
    const text = `${label} ${ref}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return models.filter(holds).slice(0, SHOWN);
}

import { commandScenarios } from "./conformance/command-scenarios";
import { fileScenarios } from "./conformance/file-scenarios";
import { lifecycleScenarios } from "./conformance/lifecycle-scenarios";
import { machineScenarios } from "./conformance/machine-scenarios";
import type { Scenario } from "./conformance/target";

export {
  type ConformanceTarget,
  eventually,
  refuses,
  type Scenario,
  ScenarioContext,
  type Trait,
} from "./conformance/target";

/** The promises of the sandbox port, one by one; every adapter is run against all of them (design.md, section 7). */
export const conformanceScenarios: readonly Scenario[] = [
  ...lifecycleScenarios,
  ...commandScenarios,
  ...fileScenarios,
  ...machineScenarios,
];

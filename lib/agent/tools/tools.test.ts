import { createHostSandbox } from "../testing/host-sandbox";
import { describeTools } from "../testing/tool-guarantees";

describeTools("real processes in a folder", createHostSandbox);

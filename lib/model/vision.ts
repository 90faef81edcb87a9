/** Families that take pictures, by the name that their makers give them. */
const SEES =
  /claude-(3|4|5|fable|opus|sonnet|haiku)|gemini|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-4-vision|gpt-4\.5|chatgpt-4o|gpt-[5-9]|(^|\/)o[134](?!-mini-2024)|llava|pixtral|(^|[-_/])vl?m?[-_:]|-vl\b|vision|gemma-?[34]|llama-?4|qwen\d(\.\d)?-?vl|minicpm-v|molmo/i;
/** Members of these families that do not. */
const BLIND =
  /claude-(2|v1|instant)|claude-3-5-haiku|gpt-3|o1-mini|o1-preview|o3-mini|gpt-oss|audio|realtime|transcribe|embedding|tts|gemma-3-1b/i;

/**
 * Whether a model is known to take images. What is not known counts as no: an image to a model that cannot see costs money
 * and answers nothing. A provider's own word (`stated`) wins.
 */
export function acceptsImages(modelId: string, stated: boolean | null): boolean {
  return stated ?? (SEES.test(modelId) && !BLIND.test(modelId));
}

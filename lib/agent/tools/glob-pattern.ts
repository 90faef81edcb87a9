/**
 * Translates a glob into a POSIX extended regular expression for the path below a folder: `*` and `?` stop at a
 * slash, `**` does not, `{a,b}` and `[a-z]` work as in a shell. A pattern without a slash matches at any depth.
 */
export function globToExtendedRegex(pattern: string): string {
  const glob = pattern.includes("/") ? pattern.replace(/^\.?\//, "") : `**/${pattern}`;
  let regex = "";
  let braces = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at);
    if (glob.startsWith("**/", at)) {
      regex += "(.*/)?";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      regex += ".*";
      at += 1;
    } else if (char === "*") regex += "[^/]*";
    else if (char === "?") regex += "[^/]";
    else if (char === "{" && glob.indexOf("}", at) > 0) {
      regex += "(";
      braces += 1;
    } else if (char === "}" && braces > 0) {
      regex += ")";
      braces -= 1;
    } else if (char === "," && braces > 0) regex += "|";
    else if (char === "[" && glob.indexOf("]", at + 2) > 0) {
      const end = glob.indexOf("]", at + 2);
      const set = glob.slice(at + 1, end).replace(/^!/, "^");
      regex += `[${set}]`;
      at = end;
    } else if (char === "\\" && at + 1 < glob.length) {
      at += 1;
      regex += literal(glob.charAt(at));
    } else regex += literal(char);
  }
  return regex;
}

/** Text that stands for itself in an extended regular expression. */
function literal(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

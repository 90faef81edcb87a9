/**
 * A name for the branch of a new session, as the server would make one (api.md, `newBranch: true`): initials of the
 * person and eight hexadecimal digits.
 */
export function suggestBranch(userName: string, randomHex: string): string {
  const words = userName.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const [first = "dm", second] = words;
  const initials = second ? first.charAt(0) + second.charAt(0) : first.slice(0, 2);
  return `${initials}/${randomHex.slice(0, 8)}`;
}

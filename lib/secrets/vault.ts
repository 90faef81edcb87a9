import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { chmod, link, open, readFile, unlink } from "node:fs/promises";

/** A secret as it lies in the database. */
export interface Sealed {
  /** `v1.<nonce>.<ciphertext and tag>`, base64url. */
  readonly sealed: string;
  /** Names the key that opens it. */
  readonly keyId: string;
}

/** Seals secrets with keys that are in a file beside the database, never in it. */
export interface Vault {
  /** `context` (whose it is and what for) is needed again to open it: a row that is moved elsewhere does not open. */
  seal(secret: string, context: string): Promise<Sealed>;
  /** Null when its key is gone, or it was changed or moved. */
  open(sealed: Sealed, context: string): Promise<string | null>;
}

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The key file has one key a line, `<id> <base64 of 32 bytes>`. The first line seals; all of them open, so a key is replaced by
 * putting a new line on top. Made at first use, for the owner of the process only.
 */
export function createVault(file: string): Vault {
  return {
    async seal(secret, context) {
      const [first] = await readKeys(file, true);
      if (!first) throw new Error("The key file for secrets has no key in it.");
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return { sealed: `v1.${nonce.toString("base64url")}.${body.toString("base64url")}`, keyId: first.id };
    },
    async open({ sealed, keyId }, context) {
      const key = (await readKeys(file, false)).find(({ id }) => id === keyId)?.key;
      const [version, nonce, body] = sealed.split(".");
      if (!key || version !== "v1" || !nonce || !body) return null;
      const bytes = Buffer.from(body, "base64url");
      try {
        const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, "base64url"), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(context));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch {
        return null;
      }
    },
  };
}

interface Key {
  readonly id: string;
  readonly key: Buffer;
}

/** Read each time: it is small, and another process may have made it or put a new key on top. */
async function readKeys(file: string, make: boolean): Promise<Key[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) {
    if (!make) return [];
    await makeKeyFile(file);
    return readKeys(file, false);
  }
  // A copy or a backup may have loosened it.
  await chmod(file, 0o600);
  return text.split("\n").flatMap((line) => {
    const [id, encoded] = line.trim().split(/\s+/);
    const key = Buffer.from(encoded ?? "", "base64");
    return id && key.length === KEY_BYTES ? [{ id, key }] : [];
  });
}

/** Written whole or not at all, and never over another one: what that sealed would be lost. */
async function makeKeyFile(file: string): Promise<void> {
  const line = `key-${randomBytes(4).toString("hex")} ${randomBytes(KEY_BYTES).toString("base64")}\n`;
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(line);
    await handle.sync();
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await handle.close();
    await unlink(draft);
  }
}

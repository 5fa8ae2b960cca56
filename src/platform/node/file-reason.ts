/** Why a file system operation failed, in words. */
import "../../diagnostics/catalogue-beyond.ts";
import { type MessageValue, type Phrase, phrase, textOfValue } from "../../diagnostics/diagnostic.ts";

const REASONS: Readonly<Record<string, Phrase>> = {
  ENOENT: phrase("no-such-file"),
  EISDIR: phrase("is-folder"),
  ENOTDIR: phrase("path-no-folder"),
  EACCES: phrase("access-denied"),
  EPERM: phrase("access-denied"),
  ENOSPC: phrase("disk-full"),
  EROFS: phrase("disk-read-only"),
  ELOOP: phrase("links-round"),
  ENAMETOOLONG: phrase("name-too-long"),
  // A name with a zero in it: no file has one.
  ERR_INVALID_ARG_VALUE: phrase("no-such-file"),
  ERR_FS_FILE_TOO_LARGE: phrase("too-large"),
};

export type Attempt = "read" | "write";

/** In English. */
export function fileReason(error: unknown, attempt: Attempt = "read"): string {
  return textOfValue(reasonOf(error, attempt));
}

/** For a message. */
export function reasonOf(error: unknown, attempt: Attempt = "read"): MessageValue {
  const { code = "", message } = error as NodeJS.ErrnoException;
  // A file that is written need not be there; its folder has to be.
  if (attempt === "write" && code === "ENOENT") return phrase("no-such-folder");
  return REASONS[code] ?? message;
}

// How a message and the page of messages are written: shared by the script that writes the page and the test that reads it.

/** `3:9 error code message`, with notes and fixes on lines of their own. */
export function renderMessage({ span, severity, code, message, notes, fixes }, text) {
  const at = ({ start }) => {
    const before = text.slice(0, start).split("\n");
    return `${before.length}:${before.at(-1).length + 1}`;
  };
  return [
    `${at(span)} ${severity} ${code}: ${message}`,
    ...notes.map((note) => `  ${at(note.span)} ${note.message}`),
    ...fixes.map((fix) => `  fix: ${fix.title}`),
  ].join("\n");
}

const HEAD = `# Messages

What halay says of typical mistakes, beside what Tint (the compiler of Chrome) says of them; its messages are told in our
own words. Written by \`tools/messages.mjs --write\`, which also prints both side by side; a test compares what stands here
with what is said.
`;

/** @param entries {{ file: string, code: string, ours: string[], verdict: { helps: string, tint: string, why: string } }[]} */
export function renderPage(entries) {
  const count = (helps) => entries.filter(({ verdict }) => verdict.helps === helps).length;
  const counts =
    `Of ${entries.length} mistakes, halay's message helps more in ${count("ours")} and as much in ${count("equal")}; ` +
    `${count("differs")} is legal for Tint. In none does it help less.`;
  const sections = entries.map(({ file, code, ours, verdict: { helps, tint, why } }) => {
    const title = file.slice(3, -".wgsl".length).replaceAll("-", " ");
    const judged = { ours: "halay helps more", equal: "as helpful", differs: "not compared" }[helps];
    return `## ${title}\n\n\`\`\`wgsl\n${code}\`\`\`\n\n\`\`\`text\n${ours.join("\n")}\n\`\`\`\n\nTint ${tint}. **${judged}**: ${why}.\n`;
  });
  return [HEAD, `${counts}\n`, ...sections].join("\n");
}

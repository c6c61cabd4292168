// Reads files with HashiCorp's own HCL parser.
//
// In: one path a line, as a JSON string. Out: one line a path, in the same order:
// {"tree": …} as the parser reads the file, or {"error": "…"}.
const fs = require("fs");
const { parse } = require("@cdktf/hcl2json");

async function answer(path) {
  try {
    return { tree: await parse(path, fs.readFileSync(path, "utf8")) };
  } catch (error) {
    return { error: error.message };
  }
}

async function main() {
  const paths = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);
  for (const path of paths) {
    fs.writeSync(1, JSON.stringify(await answer(JSON.parse(path))) + "\n");
  }
}

main();

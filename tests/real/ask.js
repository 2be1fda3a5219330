// Holds the conversation of talk.py with fetch(), as a client of claude-trace does:
// claude-trace --include-all-requests --no-open --log NAME --claude-path ask.js
const base = process.env.ANTHROPIC_BASE_URL

;(async () => {
  const page = await (await fetch(base + "/")).text()
  const headers = { "content-type": "application/json", authorization: "Bearer none" }
  for (const body of JSON.parse(/for \(const body of (.*)\) \{\n/.exec(page)[1]))
    await (await fetch(base + "/chat/completions", { method: "POST", headers, body })).text()
  await (await fetch(base + "/events")).text()
})()

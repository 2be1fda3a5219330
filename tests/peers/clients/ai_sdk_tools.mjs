// A tool loop with the Vercel AI SDK: it keeps the history itself.
//
// argv: PROVIDER (google, compatible, openrouter), MODEL, `stream` or `whole`.
// The base URL is read from AI_SDK_BASE_URL: none of the three reads a variable.
// Prints the status and the last text.

import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";

// The packages are in the peer's environment, not beside this file.
const require = createRequire(process.env.PEER_HOME + "/package.json");
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { generateText, streamText, stepCountIs, tool } = await load("ai");
const { z } = await load("zod");

const [provider, model, how] = process.argv.slice(2);
const baseURL = process.env.AI_SDK_BASE_URL;
const QUESTION = "List the files, then read notes.md and todo.md";

const MAKERS = {
  google: async () =>
    (await load("@ai-sdk/google")).createGoogleGenerativeAI({
      baseURL,
      apiKey: process.env.GEMINI_API_KEY,
    }),
  compatible: async () =>
    (await load("@ai-sdk/openai-compatible")).createOpenAICompatible({
      baseURL,
      name: "compatible",
      apiKey: process.env.OPENAI_API_KEY,
    }),
  openrouter: async () =>
    (await load("@openrouter/ai-sdk-provider")).createOpenRouter({
      baseURL,
      apiKey: process.env.OPENAI_API_KEY,
    }),
};

const settings = {
  model: (await MAKERS[provider]())(model),
  prompt: QUESTION,
  maxRetries: 0,
  stopWhen: stepCountIs(5),
  tools: {
    list_files: tool({
      description: "Lists the files of a folder.",
      inputSchema: z.object({ folder: z.string() }),
      execute: async () => "notes.md todo.md",
    }),
    read_file: tool({
      description: "Reads a file.",
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) => `What is in ${path}: Buy milk.`,
    }),
  },
};

async function loop() {
  if (how === "whole") return (await generateText(settings)).text;
  let failure = null;
  const onError = ({ error }) => (failure ??= error);
  const stream = streamText({ ...settings, onError });
  await stream.consumeStream({ onError });
  if (failure) throw failure;
  return await stream.text;
}

let said;
try {
  said = { status: 200, text: await loop() };
} catch (error) {
  if (!error.statusCode) throw error;
  said = { status: error.statusCode, text: null };
}
console.log(JSON.stringify(said));

// Serves the page's files and a fixture, with the same content security policy as the server.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const FOLDERS = { page: join(HERE, "../../page"), fixture: join(HERE, "fixture") };
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css",
  ".svg": "image/svg+xml", ".json": "application/json" };

/**
 * @returns {Promise<{address: string, close: () => void}>} /page/NAME and /fixture/NAME on a free port
 */
export async function serveFiles() {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://here").pathname));
    const [, folder, ...rest] = path.split("/");
    response.setHeader("Content-Security-Policy", "default-src 'self'");
    try {
      const bytes = await readFile(join(FOLDERS[folder] ?? "/nowhere", ...rest));
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

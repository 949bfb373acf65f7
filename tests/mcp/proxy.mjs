// Adds the token that the conformance scenarios cannot send.
import http from 'node:http';
const [port, target, token] = process.argv.slice(2);
const to = new URL(target);
http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  // The scenarios see the proxy's address as the server's.
  for (const name of ['host', 'origin']) {
    if (headers[name]) headers[name] = headers[name].replace(`:${port}`, `:${to.port}`);
  }
  const passed = http.request({ host: to.hostname, port: to.port, method: request.method, path: request.url, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders);
    answer.pipe(response);
  });
  request.pipe(passed);
}).listen(Number(port), '127.0.0.1');

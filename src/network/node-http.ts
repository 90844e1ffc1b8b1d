/**
 * Node's HTTP. An `import` of `node:http` asks it for all that it exports, among that `WebSocket`, for which Node reads undici: a
 * twentieth of a second at each start (42 ms, and 4 ms this way), for what nothing here uses.
 */
export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');

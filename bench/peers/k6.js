// What peers.py asks of k6: GET, or the task of bench/jobs/task.yaml, by users or at a rate.
import http from "k6/http";
import { check } from "k6";

const users = Number(__ENV.USERS);
const url = __ENV.URL;
const padding = "a".repeat(225);
let token = "first";
let sequence = 0;

const closed = { executor: "constant-vus", vus: users, duration: __ENV.SECONDS + "s", gracefulStop: "1s" };
const open = {
  executor: "constant-arrival-rate", rate: Number(__ENV.RATE), timeUnit: "1s", duration: __ENV.SECONDS + "s",
  preAllocatedVUs: users, maxVUs: users, gracefulStop: "1s",
};

export const options = {
  insecureSkipTLSVerify: true,
  discardResponseBodies: __ENV.EXEC === "get",
  scenarios: { all: Object.assign({ exec: __ENV.EXEC }, __ENV.RATE ? open : closed) },
};

export function get() {
  http.get(url);
}

export function post() {
  const user = "user." + Math.floor(Math.random() * 2000000);
  const body = `{"user":"${user}","sequence":"${++sequence}","padding":"${padding}"}`;
  const headers = { "X-Token": token, "Content-Type": "application/json" };
  const response = http.post(`${url}?user=${user}`, body, { headers, tags: { name: "task" } });
  check(response, { "status 200": (answer) => answer.status === 200 });
  token = response.json("tokenId");
}

export function handleSummary(data) {
  const { http_reqs: requests, http_req_failed: failed } = data.metrics;
  return {
    stdout: JSON.stringify({ requests: requests.values.count, rate: requests.values.rate, failed: failed.values.rate }),
  };
}

// Where one component leaves vis-network and the other waits for it, whichever comes first.

function visNetwork() {
  return (globalThis[Symbol.for("memory-graph.vis-network")] ??= handover());
}

function handover() {
  let give;
  const promise = new Promise((resolve) => (give = resolve));
  return { promise, give };
}

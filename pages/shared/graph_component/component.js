// Draws a PyVis network with vis-network, which the component beside this one hands over once. Positions come with the data and
// nothing moves by itself. Every text of a person goes through textContent or the canvas, so it can never act as markup.

const views = new WeakMap();

export default async function ({ parentElement, data, setTriggerValue }) {
  const vis = await visNetwork().promise;
  let view = views.get(parentElement);
  if (!view?.isAlive) {
    view = new View(vis, parentElement);
    views.set(parentElement, view);
  }
  view.send = setTriggerValue;
  view.update(data);
  return () => {
    if (views.get(parentElement) === view) views.delete(parentElement);
    view.destroy();
  };
}

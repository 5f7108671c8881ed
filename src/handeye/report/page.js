"use strict";
(() => {
  const viewer = document.getElementById("viewer");
  const stage = document.getElementById("stage");
  const caption = document.getElementById("caption");
  const shots = [...document.querySelectorAll(".shot svg")];
  let at = 0;
  const show = (index) => {
    at = (index + shots.length) % shots.length;
    stage.replaceChildren(shots[at].cloneNode(true));
    caption.textContent = shots[at].getAttribute("aria-label");
  };
  shots.forEach((svg, index) => svg.parentElement.addEventListener("click", () => { show(index); viewer.showModal(); }));
  document.getElementById("close").addEventListener("click", () => viewer.close());
  viewer.addEventListener("click", (event) => { if (!event.target.closest("svg")) viewer.close(); });
  viewer.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") show(at + 1);
    if (event.key === "ArrowLeft") show(at - 1);
  });
})();

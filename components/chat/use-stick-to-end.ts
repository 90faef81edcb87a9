"use client";

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** This close to the end counts as being there. */
const NEAR_PX = 24;
const SCROLL_UP_KEYS = new Set(["ArrowUp", "PageUp", "Home"]);

/**
 * Keeps a scrolling box at its end while it grows, by intent: a turn of the wheel, a touch, a key or the scrollbar
 * upwards lets go, and so does opening something to read it; coming back to the end takes hold again. Not being at the
 * end is no intent: under load the content is ahead of the box.
 */
export function useStickToEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const sticking = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  /** To be called when the content has grown in a way that the box cannot see by itself. */
  const follow = useCallback(() => {
    const element = box.current;
    if (element && sticking.current) element.scrollTop = element.scrollHeight;
  }, [box]);

  const toEnd = useCallback(() => {
    sticking.current = true;
    follow();
    setAtEnd(true);
  }, [follow]);

  useLayoutEffect(() => {
    const element = box.current;
    const grown = content.current;
    if (!element || !grown) return;
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(grown);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, content, follow]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const isNear = () => element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_PX;
    const letGo = () => {
      if (element.scrollHeight <= element.clientHeight) return;
      sticking.current = false;
    };
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && letGo();
    const onKey = (event: KeyboardEvent) => SCROLL_UP_KEYS.has(event.key) && letGo();
    const onClick = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || !event.target.closest("[aria-expanded]")) return;
      sticking.current = false;
      // Once it has opened or closed; still at the end means that nothing is there to be read above it.
      requestAnimationFrame(() => {
        sticking.current = isNear();
        setAtEnd(sticking.current);
      });
    };
    let last = { top: element.scrollTop, height: element.scrollHeight };
    const onScroll = () => {
      const now = { top: element.scrollTop, height: element.scrollHeight };
      const near = isNear();
      if (near) sticking.current = true;
      // Upwards in a box that did not shrink: the scrollbar, which has no event of its own.
      else if (now.top < last.top && now.height >= last.height) sticking.current = false;
      last = now;
      setAtEnd(near || sticking.current);
    };
    element.addEventListener("wheel", onWheel, { passive: true });
    element.addEventListener("touchmove", letGo, { passive: true });
    element.addEventListener("keydown", onKey);
    element.addEventListener("click", onClick, { capture: true });
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("touchmove", letGo);
      element.removeEventListener("keydown", onKey);
      element.removeEventListener("click", onClick, { capture: true });
      element.removeEventListener("scroll", onScroll);
    };
  }, [box]);

  return { atEnd, toEnd, follow };
}

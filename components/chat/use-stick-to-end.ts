"use client";

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** This close to the end counts as being there. */
const NEAR_PX = 24;
const SCROLL_UP_KEYS = new Set(["ArrowUp", "PageUp", "Home"]);

/**
 * Keeps a scrolling box at its end while it grows, by intent: a turn of the wheel, a touch, a key or the scrollbar
 * upwards lets go, and coming back to the end takes hold again. Not being at the end is no intent: under load the
 * content is ahead of the box.
 */
export function useStickToEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const sticking = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    sticking.current = true;
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
    setAtEnd(true);
  }, [box]);

  useLayoutEffect(() => {
    const element = box.current;
    const grown = content.current;
    if (!element || !grown) return;
    const follow = () => {
      if (sticking.current) element.scrollTop = element.scrollHeight;
    };
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(grown);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, content]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const letGo = () => {
      if (element.scrollHeight <= element.clientHeight) return;
      sticking.current = false;
    };
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && letGo();
    const onKey = (event: KeyboardEvent) => SCROLL_UP_KEYS.has(event.key) && letGo();
    let last = { top: element.scrollTop, height: element.scrollHeight };
    const onScroll = () => {
      const now = { top: element.scrollTop, height: element.scrollHeight };
      const near = now.height - now.top - element.clientHeight <= NEAR_PX;
      if (near) sticking.current = true;
      // Upwards in a box that did not shrink: the scrollbar, which has no event of its own.
      else if (now.top < last.top && now.height >= last.height) sticking.current = false;
      last = now;
      setAtEnd(near || sticking.current);
    };
    element.addEventListener("wheel", onWheel, { passive: true });
    element.addEventListener("touchmove", letGo, { passive: true });
    element.addEventListener("keydown", onKey);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("touchmove", letGo);
      element.removeEventListener("keydown", onKey);
      element.removeEventListener("scroll", onScroll);
    };
  }, [box]);

  return { atEnd, toEnd };
}

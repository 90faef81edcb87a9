"use client";

export { default } from "@/app/(app)/error";

import { notFound } from "next/navigation";
import { Gallery } from "@/components/gallery/gallery";

/** `/_ui`, in development only: every component in every state, with fixtures. */
export default function GalleryPage() {
  if (process.env.NODE_ENV === "production") notFound();
  return <Gallery />;
}

import { MessagePage } from "@/components/shell/message-page";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh">
      <MessagePage title="There is nothing here">The address leads nowhere.</MessagePage>
    </main>
  );
}

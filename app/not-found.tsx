import { MessagePage } from "@/components/shell/message-page";

export default function NotFound() {
  return <MessagePage title="There is nothing here">The address leads nowhere.</MessagePage>;
}

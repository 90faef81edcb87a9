import { MessagePage } from "@/components/shell/message-page";

export default function SessionNotFound() {
  return (
    <MessagePage title="This session is not here">
      It was deleted, or the address belongs to somebody else's session.
    </MessagePage>
  );
}

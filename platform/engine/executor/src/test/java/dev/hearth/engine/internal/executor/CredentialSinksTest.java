package dev.hearth.engine.internal.executor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCredential;
import dev.hearth.spi.application.CredentialSink;
import dev.hearth.spi.net.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which services receive credentials, and which ones. */
class CredentialSinksTest {
    private final CredentialSinks sinks = new CredentialSinks();
    private final List<String> received = new ArrayList<>();
    private final CredentialSink recording =
            (kind, content) -> received.add(kind + " " + new String(content.toArray(), UTF_8));

    @Test
    void givesTheLatestToAServiceThatAppearsLate() {
        sinks.update(credential("a", 1, "old"));
        sinks.update(credential("b", 2, "other"));
        sinks.update(credential("a", 3, "new"));
        sinks.add(recording, new String[] {"a", "b"});
        assertEquals(List.of("a new", "b other"), received);
    }

    @Test
    void ignoresVersionsThatAreOlder() {
        sinks.add(recording, "a");
        sinks.update(credential("a", 2, "new"));
        sinks.update(credential("a", 2, "again"));
        sinks.update(credential("a", 1, "old"));
        sinks.update(credential("b", 1, "of another kind"));
        assertEquals(List.of("a new"), received);
    }

    @Test
    void aFailingServiceStopsNoOther() {
        sinks.add(
                (kind, content) -> {
                    throw new IllegalStateException("broken on purpose");
                },
                "a");
        sinks.add(recording, "a");
        sinks.add((kind, content) -> received.add("no kind"), 7);
        sinks.update(credential("a", 1, "new"));
        assertEquals(List.of("a new"), received);
        sinks.remove(recording);
        sinks.update(credential("a", 2, "newer"));
        assertEquals(List.of("a new"), received, "removed");
    }

    @Test
    void showsNoCredentials() {
        assertFalse(credential("a", 1, "the-password").toString().contains("password"));
    }

    private static UpdateCredential credential(String kind, long version, String text) {
        return new UpdateCredential(kind, version, Bytes.owning(text.getBytes(UTF_8)));
    }
}

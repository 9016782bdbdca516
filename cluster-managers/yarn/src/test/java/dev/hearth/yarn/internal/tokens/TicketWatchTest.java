package dev.hearth.yarn.internal.tokens;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tickets are mentioned once when their end is near, and once when they are replaced. */
class TicketWatchTest {
    private final TicketWatch watch = new TicketWatch();

    private Optional<TokenEffect.Note> looked(int minutesLeft, String problem) {
        return watch.looked(
                new TicketWatch.Ticket("alice@EXAMPLE.COM", Duration.ofMinutes(minutesLeft), Duration.ofHours(10)),
                problem);
    }

    @Test
    void warnsOnceBeforeTheEnd() {
        assertEquals(Optional.empty(), looked(300, ""));
        TokenEffect.Note warning = looked(60, "the KDC does not answer").orElseThrow();
        assertEquals(TokenEffect.Level.WARNING, warning.level());
        assertEquals(
                "ticket of alice@EXAMPLE.COM: it ends in 1 h 0 min, the KDC does not answer (expected: a new one before);"
                        + " run kinit, or check the KDC",
                warning.words());
        assertEquals(Optional.empty(), looked(30, ""));
        assertEquals(Optional.empty(), looked(-1, ""));
        assertEquals(TokenEffect.Level.INFO, looked(600, "").orElseThrow().level());
        assertTrue(looked(-1, "").orElseThrow().words().contains("it has ended"));
    }
}

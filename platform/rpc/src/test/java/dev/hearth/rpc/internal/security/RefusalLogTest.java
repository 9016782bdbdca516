package dev.hearth.rpc.internal.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
    @Test
    void logsSomeRefusalsPerMinuteAndThenTheNumberOmitted() {
        FakeTicker ticker = new FakeTicker();
        List<String> lines = new ArrayList<>();
        RefusalLog log = new RefusalLog(lines::add, ticker);
        for (int i = 0; i < 1_000; i++) {
            log.refused("stranger " + i);
        }
        assertEquals(20, lines.size());
        assertEquals("refused a connection: stranger 0", lines.get(0));
        ticker.advance(Duration.ofSeconds(59));
        log.refused("stranger");
        assertEquals(20, lines.size());
        ticker.advance(Duration.ofSeconds(1));
        log.refused("another");
        assertTrue(lines.get(20).contains("981 more connections"), lines.get(20));
        assertEquals("refused a connection: another", lines.get(21));
        log.refused("a third");
        assertEquals(List.of("refused a connection: a third"), lines.subList(22, lines.size()));
    }
}

package dev.hearth.shuffleservice.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long outputs stay: while the driver is connected, and for the grace after that. */
class ApplicationLeasesTest {
    private static final Duration GRACE = Duration.ofSeconds(100);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long START = Long.MAX_VALUE - 50 * SECOND; // the clock wraps

    private final ApplicationLeases leases = new ApplicationLeases(GRACE);

    private static long at(int seconds) {
        return START + seconds * SECOND;
    }

    @Test
    void waitsForADriverForTheGrace() {
        leases.admitted("app", at(0));
        assertEquals(List.of(), leases.expire(at(99)));
        assertEquals(List.of("app"), leases.expire(at(100)));
        assertEquals(List.of(), leases.expire(at(101)));
        assertFalse(leases.attached("app", 1), "it came too late");
    }

    @Test
    void keepsAnApplicationWhileItsDriverIsConnected() {
        leases.admitted("app", at(0));
        assertTrue(leases.attached("app", 1));
        assertEquals(List.of(), leases.expire(at(100_000)));
        leases.detached("app", 1, at(100_000));
        assertEquals(List.of(), leases.expire(at(100_099)));
        assertEquals(List.of("app"), leases.expire(at(100_100)));
    }

    @Test
    void aDriverThatReturnsKeepsItsOutputs() {
        leases.admitted("app", at(0));
        leases.attached("app", 1);
        leases.detached("app", 1, at(10));
        leases.attached("app", 2);
        assertEquals(List.of(), leases.expire(at(1_000)));
    }

    @Test
    void readersAreNotTakenForDrivers() {
        leases.admitted("app", at(0));
        leases.detached("app", 77, at(90));
        assertEquals(List.of("app"), leases.expire(at(100)), "the end of another connection changes nothing");
    }

    @Test
    void eachExecutorThatStartsBeginsTheGraceAgain() {
        leases.admitted("app", at(0));
        leases.admitted("app", at(60));
        assertEquals(List.of(), leases.expire(at(100)));
        assertEquals(List.of("app"), leases.expire(at(160)));
    }

    @Test
    void anApplicationThatHasEndedIsRemovedAtOnce() {
        leases.admitted("app", at(0));
        leases.admitted("other", at(0));
        leases.attached("app", 1);
        assertTrue(leases.ended("app"));
        assertFalse(leases.ended("app"));
        assertEquals(1, leases.size());
    }
}

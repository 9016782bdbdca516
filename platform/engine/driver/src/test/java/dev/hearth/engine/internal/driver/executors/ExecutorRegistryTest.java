package dev.hearth.engine.internal.driver.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.driver.executors.ExecutorRegistry.Admission;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExecutorRegistryTest {
    private static final ExecutorId A = new ExecutorId("a");
    private static final ExecutorId B = new ExecutorId("b");
    private static final long SECOND = 1_000_000_000L;

    private final ExecutorRegistry registry = new ExecutorRegistry(Duration.ofSeconds(10), Duration.ofSeconds(30), 2);

    private List<ExecutorId> silent(long now) {
        registry.checked(now);
        return registry.silent(now);
    }

    @Test
    void admitsAnIdOnceAndKnowsItAgainOverItsOwnConnectionOnly() {
        assertEquals(Admission.ADMITTED, registry.register(A, 1, 0));
        assertEquals(Admission.KNOWN, registry.register(A, 1, 0));
        assertEquals(Admission.DUPLICATE, registry.register(A, 2, 0));
        assertEquals(Optional.of(A), registry.executorOf(1));
        assertEquals(Optional.empty(), registry.executorOf(2));
    }

    @Test
    void isDecommissionedOnceAndLiveUntilItIsLost() {
        assertFalse(registry.decommission(A));
        registry.register(A, 1, 0);
        assertTrue(registry.decommission(A));
        assertFalse(registry.decommission(A));
        assertTrue(registry.isDecommissioning(A) && registry.isLive(A));
        assertTrue(registry.lose(A));
        assertFalse(registry.isDecommissioning(A) || registry.decommission(A));
    }

    @Test
    void returnsFromDecommissioningToRunning() {
        assertFalse(registry.recommission(A));
        registry.register(A, 1, 0);
        assertFalse(registry.recommission(A));
        registry.decommission(A);
        assertTrue(registry.recommission(A));
        assertFalse(registry.isDecommissioning(A));
        assertTrue(registry.decommission(A), "it can leave again");
        registry.lose(A);
        assertFalse(registry.recommission(A));
    }

    @Test
    void neverAdmitsALostIdEvenIfItHadNotRegistered() {
        registry.register(A, 1, 0);
        assertTrue(registry.lose(A));
        assertFalse(registry.lose(A));
        assertFalse(registry.lose(B));
        assertEquals(Admission.LOST, registry.register(A, 3, 0));
        assertEquals(Admission.LOST, registry.register(B, 3, 0));
    }

    @Test
    void refusesMoreThanItsBound() {
        registry.register(A, 1, 0);
        registry.register(B, 2, 0);
        assertEquals(Admission.FULL, registry.register(new ExecutorId("c"), 3, 0));
    }

    @Test
    void reportsSilentExecutorsAndKeepsThoseWithHeartbeats() {
        registry.register(A, 1, 0);
        registry.register(B, 2, 0);
        assertTrue(registry.heartbeat(B, 2, 8 * SECOND));
        assertEquals(List.of(), silent(10 * SECOND));
        assertEquals(List.of(A), silent(11 * SECOND));
        assertFalse(registry.heartbeat(A, 9, 11 * SECOND), "a heartbeat over another connection does not count for A");
        assertEquals(List.of(A), silent(11 * SECOND));
    }

    @Test
    void doubtsAnExecutorOnceUntilItsNextHeartbeat() {
        registry.register(A, 1, 0);
        registry.register(B, ExecutorRegistry.NO_PEER, 0);
        assertEquals(List.of(), registry.doubtful(5 * SECOND));
        assertEquals(List.of(A), registry.doubtful(6 * SECOND));
        assertTrue(registry.doubt(A));
        assertEquals(List.of(), registry.doubtful(7 * SECOND));
        assertFalse(registry.doubt(A));
        registry.heartbeat(A, 1, 8 * SECOND);
        assertEquals(List.of(A), registry.doubtful(14 * SECOND));
        registry.lose(A);
        assertFalse(registry.doubt(A));
    }

    @Test
    void neverReportsAnInProcessExecutorAsSilent() {
        registry.register(A, ExecutorRegistry.NO_PEER, 0);
        assertEquals(List.of(), silent(Long.MAX_VALUE / 2));
        assertEquals(List.of(), silent(Long.MAX_VALUE / 2 + SECOND));
    }

    @Test
    void reportsNoSilentExecutorAfterTheDriverItselfStalled() {
        registry.register(A, 1, 0);
        assertEquals(List.of(), silent(2 * SECOND));
        assertEquals(List.of(), silent(60 * SECOND), "A's heartbeats are still in the inbox");
        assertEquals(List.of(), silent(64 * SECOND));
        assertEquals(List.of(), silent(68 * SECOND));
        assertEquals(List.of(A), silent(71 * SECOND));
    }

    @Test
    void measuresTheTimeFromStartToRegistration() {
        registry.starting(A, 3 * SECOND);
        registry.starting(B, 3 * SECOND);
        registry.lose(B);
        assertEquals(Duration.ofSeconds(2), registry.startDuration(A, 5 * SECOND));
        assertEquals(Duration.ZERO, registry.startDuration(B, 9 * SECOND));
    }

    @Test
    void reportsStartedExecutorsThatDoNotRegister() {
        registry.starting(A, 0);
        registry.starting(B, 0);
        registry.register(B, 2, SECOND);
        for (long now = 0; now <= 30; now += 5) {
            registry.checked(now * SECOND);
        }
        assertEquals(List.of(), registry.overdue(30 * SECOND));
        registry.checked(31 * SECOND);
        assertEquals(List.of(A), registry.overdue(31 * SECOND));
        registry.lose(A);
        assertEquals(List.of(), registry.overdue(31 * SECOND));
    }

    @Test
    void ignoresAStartThatIsReportedAfterTheRegistrationOrTheLoss() {
        registry.register(A, 1, 0);
        registry.lose(B);
        registry.starting(A, 0);
        registry.starting(B, 0);
        assertEquals(List.of(), registry.overdue(100 * SECOND));
    }

    @Test
    void restartsTheStartTimeoutAfterTheDriverItselfStalled() {
        registry.starting(A, 0);
        registry.checked(2 * SECOND);
        registry.checked(60 * SECOND);
        assertEquals(List.of(), registry.overdue(60 * SECOND));
    }
}

package dev.hearth.engine.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.driver.ExecutorRegistry.Admission;
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
        registry.look(now);
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
    void leavesOnceAndIsLiveUntilItIsGone() {
        assertFalse(registry.leave(A));
        registry.register(A, 1, 0);
        assertTrue(registry.leave(A));
        assertFalse(registry.leave(A));
        assertTrue(registry.isLeaving(A) && registry.isLive(A));
        assertTrue(registry.lose(A));
        assertFalse(registry.isLeaving(A) || registry.leave(A));
    }

    @Test
    void neverAdmitsAnIdThatWasGivenUpAlsoWhenItHadNotRegisteredYet() {
        registry.register(A, 1, 0);
        assertTrue(registry.lose(A));
        assertFalse(registry.lose(A));
        assertFalse(registry.lose(B));
        assertEquals(Admission.GONE, registry.register(A, 3, 0));
        assertEquals(Admission.GONE, registry.register(B, 3, 0));
    }

    @Test
    void refusesMoreThanItsBound() {
        registry.register(A, 1, 0);
        registry.register(B, 2, 0);
        assertEquals(Admission.FULL, registry.register(new ExecutorId("c"), 3, 0));
    }

    @Test
    void namesTheSilentAndKeepsThoseItHears() {
        registry.register(A, 1, 0);
        registry.register(B, 2, 0);
        assertTrue(registry.heartbeat(B, 2, 8 * SECOND));
        assertEquals(List.of(), silent(10 * SECOND));
        assertEquals(List.of(A), silent(11 * SECOND));
        assertFalse(registry.heartbeat(A, 9, 11 * SECOND), "another connection's word is not A's");
        assertEquals(List.of(A), silent(11 * SECOND));
    }

    @Test
    void neverCallsAnInProcessExecutorSilent() {
        registry.register(A, ExecutorRegistry.NO_PEER, 0);
        assertEquals(List.of(), silent(Long.MAX_VALUE / 2));
        assertEquals(List.of(), silent(Long.MAX_VALUE / 2 + SECOND));
    }

    @Test
    void callsNobodySilentWhenItStoodStillItself() {
        registry.register(A, 1, 0);
        assertEquals(List.of(), silent(2 * SECOND));
        assertEquals(List.of(), silent(60 * SECOND), "what A sent meanwhile is still unread");
        assertEquals(List.of(), silent(64 * SECOND));
        assertEquals(List.of(), silent(68 * SECOND));
        assertEquals(List.of(A), silent(71 * SECOND));
    }

    @Test
    void tellsHowLongAnExecutorTakesToCome() {
        registry.begin(A, 3 * SECOND);
        registry.begin(B, 3 * SECOND);
        registry.lose(B);
        assertEquals(Duration.ofSeconds(2), registry.tookToCome(A, 5 * SECOND));
        assertEquals(Duration.ZERO, registry.tookToCome(B, 9 * SECOND));
    }

    @Test
    void namesThoseThatWereBegunAndDidNotCome() {
        registry.begin(A, 0);
        registry.begin(B, 0);
        registry.register(B, 2, SECOND);
        for (long now = 0; now <= 30; now += 5) {
            registry.look(now * SECOND);
        }
        assertEquals(List.of(), registry.overdue(30 * SECOND));
        registry.look(31 * SECOND);
        assertEquals(List.of(A), registry.overdue(31 * SECOND));
        registry.lose(A);
        assertEquals(List.of(), registry.overdue(31 * SECOND));
    }

    @Test
    void waitsForNobodyWhoseBeginningIsToldBehindItsComingOrItsEnd() {
        registry.register(A, 1, 0);
        registry.lose(B);
        registry.begin(A, 0);
        registry.begin(B, 0);
        assertEquals(List.of(), registry.overdue(100 * SECOND));
    }

    @Test
    void waitsAnewForThoseThatWereBegunWhenItStoodStillItself() {
        registry.begin(A, 0);
        registry.look(2 * SECOND);
        registry.look(60 * SECOND);
        assertEquals(List.of(), registry.overdue(60 * SECOND));
    }
}

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

    private final ExecutorRegistry registry = new ExecutorRegistry(Duration.ofSeconds(10), 2);

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
        assertTrue(registry.heard(B, 2, 8 * SECOND));
        assertEquals(List.of(), registry.silent(10 * SECOND));
        assertEquals(List.of(A), registry.silent(11 * SECOND));
        assertFalse(registry.heard(A, 9, 11 * SECOND), "another connection's word is not A's");
        assertEquals(List.of(A), registry.silent(11 * SECOND));
    }

    @Test
    void neverCallsAnInProcessExecutorSilent() {
        registry.register(A, ExecutorRegistry.NO_PEER, 0);
        assertEquals(List.of(), registry.silent(Long.MAX_VALUE / 2));
        assertEquals(List.of(), registry.silent(Long.MAX_VALUE / 2 + SECOND));
    }

    @Test
    void callsNobodySilentWhenItStoodStillItself() {
        registry.register(A, 1, 0);
        assertEquals(List.of(), registry.silent(2 * SECOND));
        assertEquals(List.of(), registry.silent(60 * SECOND), "what A sent meanwhile is still unread");
        assertEquals(List.of(), registry.silent(64 * SECOND));
        assertEquals(List.of(), registry.silent(68 * SECOND));
        assertEquals(List.of(A), registry.silent(71 * SECOND));
    }

    @Test
    void tellsOnceHowLongAnExecutorTookToCome() {
        registry.begin(A, 3 * SECOND);
        registry.begin(B, 3 * SECOND);
        registry.lose(B);
        assertEquals(Duration.ofSeconds(2), registry.tookToCome(A, 5 * SECOND));
        assertEquals(Duration.ZERO, registry.tookToCome(A, 9 * SECOND));
        assertEquals(Duration.ZERO, registry.tookToCome(B, 9 * SECOND));
    }
}

package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.memory.MemoryLedger.ApplicationShare;
import dev.hearth.engine.internal.memory.MemoryLedger.Eviction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random reservations of several applications: sums stay exact, nothing exceeds a bound, and at least one attempt can
 * always go on.
 */
class MemoryLedgerTest {
    private static final int STEPS = 20_000;
    private static final int PARTS_MAX = 4;
    private static final int ATTEMPTS_MAX = 12;

    private static final class Attempt {
        final ApplicationShare part;
        long held;

        Attempt(ApplicationShare part) {
            this.part = part;
        }
    }

    private final MemoryLedger ledger = new MemoryLedger();
    private final List<ApplicationShare> parts = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private Random random = new Random(0);

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 42, 1234567})
    void staysExactAndNeverMakesAllAttemptsWait(long seed) {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            long usedBefore = ledger.used();
            act();
            check(usedBefore);
        }
        while (!attempts.isEmpty()) {
            end(attempts.get(0));
        }
        for (ApplicationShare part : List.copyOf(parts)) {
            close(part);
        }
        assertEquals(0, ledger.used());
        assertEquals(0, ledger.active());
        assertEquals(0, ledger.bound());
    }

    private void act() {
        int kind = random.nextInt(100);
        if (parts.isEmpty() || (kind < 1 && parts.size() < PARTS_MAX)) {
            parts.add(ledger.open(1 + random.nextInt(10_000), random.nextDouble(), wanted -> 0));
        } else if (kind < 2) {
            close(pick(parts));
        } else if (kind < 12 && attempts.size() < ATTEMPTS_MAX) {
            begin(pick(parts));
        } else if (kind < 20 && !attempts.isEmpty()) {
            end(pick(attempts));
        } else if (kind < 60 && !attempts.isEmpty()) {
            take(pick(attempts));
        } else if (kind < 75 && !attempts.isEmpty()) {
            Attempt attempt = pick(attempts);
            long given = random.nextInt((int) attempt.held + 1);
            attempt.held -= given;
            ledger.releaseExecution(attempt.part, given);
        } else {
            keepOrDrop(pick(parts));
        }
    }

    private void begin(ApplicationShare part) {
        ledger.attemptStarted(part);
        attempts.add(new Attempt(part));
    }

    private void end(Attempt attempt) {
        ledger.releaseExecution(attempt.part, attempt.held);
        ledger.attemptEnded(attempt.part);
        attempts.remove(attempt);
    }

    private void close(ApplicationShare part) {
        ledger.close(part);
        parts.remove(part);
    }

    private void take(Attempt attempt) {
        if (attempt.part.closed) {
            return; // a closed budget refuses it
        }
        long wanted =
                Math.min(1 + random.nextInt(5_000), Math.max(0, ledger.maxPerAttempt(attempt.part) - attempt.held));
        Optional<Eviction> room = ledger.evictionForTask(attempt.part, wanted, List.of());
        if (ledger.free(attempt.part) < wanted && room.isPresent()) {
            ApplicationShare from = room.get().from();
            assertTrue(room.get().bytes() <= from.storage, "evicts more than is stored");
            ledger.releaseStorage(from, room.get().bytes());
        }
        long taken = Math.min(wanted, ledger.free(attempt.part));
        ledger.reserveExecution(attempt.part, taken);
        attempt.held += taken;
    }

    private void keepOrDrop(ApplicationShare part) {
        long bytes = random.nextInt(4_000);
        if (random.nextInt(4) == 0) {
            ledger.releaseStorage(part, Math.min(bytes, part.storage));
            return;
        }
        boolean can = ledger.canReserveStorage(part, bytes);
        for (int evictions = 0; can && ledger.free(part) < bytes; evictions++) {
            Optional<Eviction> room = ledger.evictionForStorage(part, bytes, List.of());
            assertTrue(room.isPresent() && evictions < PARTS_MAX + ATTEMPTS_MAX, "canReserveStorage promised room");
            ledger.releaseStorage(room.get().from(), room.get().bytes());
        }
        if (can) {
            ledger.reserveStorage(part, bytes);
        }
    }

    private void check(long usedBefore) {
        List<Attempt> counted =
                attempts.stream().filter(attempt -> !attempt.part.closed).toList();
        long execution = counted.stream().mapToLong(attempt -> attempt.held).sum();
        long storage = parts.stream().mapToLong(part -> part.storage).sum();
        assertEquals(execution + storage, ledger.used());
        assertEquals(counted.size(), ledger.active());
        assertTrue(ledger.used() <= ledger.bound() || ledger.used() <= usedBefore, "over the bound");
        boolean allWait = !counted.isEmpty();
        for (Attempt attempt : counted) {
            ApplicationShare part = attempt.part;
            assertTrue(part.execution + part.storage <= part.total, "over the total of a part");
            assertTrue(
                    ledger.minPerAttempt(part) <= ledger.maxPerAttempt(part), "the upper bound is below the lower one");
            allWait &= attempt.held + ledger.free(part) < ledger.minPerAttempt(part);
        }
        assertFalse(allWait, "all attempts wait");
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}

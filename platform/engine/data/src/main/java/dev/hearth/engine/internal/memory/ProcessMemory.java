package dev.hearth.engine.internal.memory;

import dev.hearth.engine.internal.memory.MemoryLedger.ApplicationShare;
import dev.hearth.engine.internal.memory.MemoryLedger.Eviction;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory pool of this process: one budget per application running here, all of them within the largest. One per
 * process. Its one lock guards the {@link MemoryLedger}; it is not held during callbacks that evict, spill or check for
 * a kill. Waiting attempts are woken by every event that may change the answer: released memory, an attempt that joins
 * or ends, a budget that closes, {@link MemoryBudget#wake}.
 */
public final class ProcessMemory {
    /** Evictions per request before it waits, for the case that other attempts take what was freed. */
    static final int EVICTIONS_MAX = 16;
    /** Upper bound on the bytes that an attempt reserves ahead; another bound is a part of its share. */
    private static final long STEP_BYTES_MAX = 1024 * 1024;

    private static final long STEP_BYTES_MIN = 4096; // below this, nothing is reserved ahead
    private static final int STEP_PART = 64;

    private final long heapBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final MemoryLedger ledger = new MemoryLedger();
    private volatile int waiting; // written under the lock; attempts read it to keep no spare bytes while others wait
    private volatile long wakeUps; // written under the lock

    public ProcessMemory(long heapBytes) {
        this.heapBytes = heapBytes;
    }

    /** Opens the budget of an application. */
    public MemoryBudget open(MemorySettings settings) {
        long total = settings.total(heapBytes);
        lock.lock();
        try {
            ApplicationMemoryBudget budget =
                    new ApplicationMemoryBudget(this, ledger, total, settings.storageFraction());
            signal();
            return budget;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes that all budgets together may hold. */
    public long bound() {
        lock.lock();
        try {
            return ledger.bound();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes that all budgets together hold. */
    public long used() {
        lock.lock();
        try {
            return ledger.used();
        } finally {
            lock.unlock();
        }
    }

    void close(ApplicationShare part) {
        lock.lock();
        try {
            ledger.close(part);
            signal();
        } finally {
            lock.unlock();
        }
    }

    long executionOf(ApplicationShare part) {
        lock.lock();
        try {
            return part.execution;
        } finally {
            lock.unlock();
        }
    }

    long storageOf(ApplicationShare part) {
        lock.lock();
        try {
            return part.storage;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // guarded by the lock
    void wake() {
        lock.lock();
        try {
            wakeUps++;
            signal();
        } finally {
            lock.unlock();
        }
    }

    boolean hasWaiting() {
        return waiting > 0;
    }

    /** Number of waiting attempts. */
    int waiting() {
        return waiting;
    }

    boolean keep(ApplicationShare part, long bytes) {
        List<ApplicationShare> refused = new ArrayList<>();
        for (int evictions = 0; ; evictions++) {
            Optional<Eviction> eviction;
            lock.lock();
            try {
                if (!ledger.canReserveStorage(part, bytes)) {
                    return false;
                }
                if (bytes <= ledger.free(part)) {
                    ledger.reserveStorage(part, bytes);
                    signal(); // the lower bound of attempts is smaller now
                    return true;
                }
                eviction = ledger.evictionForStorage(part, bytes, refused);
            } finally {
                lock.unlock();
            }
            if (eviction.isEmpty() || evictions == EVICTIONS_MAX) {
                return false;
            }
            evict(eviction.get(), refused);
        }
    }

    /**
     * Turns execution memory of an attempt into storage memory; false, with nothing changed, when storage has no room
     * for it.
     */
    boolean convertToStorage(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.releaseExecution(part, bytes);
            if (ledger.canReserveStorage(part, bytes) && bytes <= ledger.free(part)) {
                ledger.reserveStorage(part, bytes);
                signal(); // the lower bound of attempts is smaller now
                return true;
            }
            ledger.reserveExecution(part, bytes);
            return false;
        } finally {
            lock.unlock();
        }
    }

    void drop(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.releaseStorage(part, bytes);
            signal();
        } finally {
            lock.unlock();
        }
    }

    void give(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.releaseExecution(part, bytes);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** Removes an attempt from the pool and releases what it holds. */
    void end(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.releaseExecution(part, bytes);
            ledger.attemptEnded(part);
            signal();
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        if (waiting > 0) {
            changed.signalAll();
        }
    }

    private static void evict(Eviction eviction, List<ApplicationShare> refused) {
        if (eviction.from().evictable.evict(eviction.bytes()) <= 0) {
            refused.add(eviction.from());
        }
    }

    /** The share of an attempt and the state of its application's memory. Used in error texts. */
    record TaskShare(long total, long most, long free, long storage, int running) {}

    TaskShare share(ApplicationShare part) {
        lock.lock();
        try {
            long most = part.closed ? 0 : ledger.maxPerAttempt(part); // a closed part has no share
            return new TaskShare(part.total, most, ledger.free(part), part.storage, ledger.active());
        } finally {
            lock.unlock();
        }
    }

    /**
     * One request for execution memory, which evicts storage and waits as needed. Used by the attempt's thread, once.
     * Each turn of the loop in {@link #grant} either ends it, evicts (at most {@link #EVICTIONS_MAX} times between two
     * waits), or waits.
     */
    final class Request {
        private final TaskAttemptMemory attempt;
        private final ApplicationShare part;
        private final long needed;
        private final List<ApplicationShare> refused = new ArrayList<>();
        private int evictions;
        private Optional<Eviction> eviction = Optional.empty();

        Request(TaskAttemptMemory attempt, ApplicationShare part, long needed) {
            this.attempt = attempt;
            this.part = part;
            this.needed = needed;
        }

        /**
         * Reserves as much of the requested memory as this attempt can get, plus some spare, and returns the amount.
         */
        long grant() {
            boolean interrupted = false;
            try {
                while (true) {
                    // read before the check, so that no kill is missed between the check and the wait
                    long seenWakeUps = wakeUps;
                    attempt.checkKilled();
                    try {
                        long granted = tryGrant(seenWakeUps);
                        if (granted >= 0) {
                            return granted;
                        }
                    } catch (InterruptedException interrupt) {
                        // the interrupt may be a kill, which the next turn checks; the flag is restored at the end
                        interrupted = true;
                    }
                    if (eviction.isPresent()) {
                        evictions++;
                        evict(eviction.get(), refused);
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /** Returns the granted bytes, or a negative number when another turn is needed. */
        private long tryGrant(long seenWakeUps) throws InterruptedException {
            lock.lock();
            try {
                register();
                long most = ledger.maxPerAttempt(part);
                long wanted = Math.min(needed, Math.max(0, most - attempt.held()));
                long free = ledger.free(part);
                if (wanted <= free) {
                    return reserve(Math.min(free, Math.max(wanted, reserveAhead(most))));
                }
                eviction = evictions < EVICTIONS_MAX ? ledger.evictionForTask(part, wanted, refused) : Optional.empty();
                if (eviction.isEmpty()) {
                    if (attempt.held() + free >= ledger.minPerAttempt(part)) {
                        return reserve(free);
                    }
                    await(seenWakeUps);
                }
                return -1;
            } finally {
                lock.unlock();
            }
        }

        private void register() {
            if (part.closed) {
                throw ErrorCode.CONTEXT_CLOSED.failure(
                        attempt + ": memory requested after the context was closed (expected: before)");
            }
            if (attempt.join()) {
                ledger.attemptStarted(part);
                signal(); // shares are smaller now: waiting attempts may have enough
            }
        }

        /** Bytes to reserve beyond the request, so that later small requests need no lock. */
        private long reserveAhead(long most) {
            long step = Math.min(STEP_BYTES_MAX, most / STEP_PART);
            attempt.setStep(step < STEP_BYTES_MIN ? 0 : step);
            return Math.min(attempt.step(), Math.max(0, most - attempt.held()));
        }

        private long reserve(long granted) {
            ledger.reserveExecution(part, granted);
            return granted;
        }

        @SuppressWarnings({"NonAtomicVolatileUpdate", "WaitNotInLoop"}) // guarded by the lock; the loop is in grant
        private void await(long seenWakeUps) throws InterruptedException {
            evictions = 0; // blocks that cannot be evicted now may be evictable after the wait
            refused.clear();
            if (wakeUps != seenWakeUps) {
                return;
            }
            waiting++;
            try {
                changed.await();
            } finally {
                waiting--;
            }
        }
    }
}

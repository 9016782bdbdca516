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
 * Memory pool of this process, with one budget per application that runs here. Together, the budgets stay within the
 * size of the largest budget. There is one pool per process. Its lock guards the {@link MemoryLedger}, but is not held
 * during callbacks that evict, spill or check for a kill. Every event that may help waiting attempts wakes them: a
 * release of memory, the start or end of an attempt, the closing of a budget, and {@link MemoryBudget#wake}.
 */
public final class ProcessMemory {
    /**
     * Upper bound on the evictions that one request makes before it waits. The bound takes effect if other attempts
     * keep taking the memory that was freed.
     */
    static final int EVICTIONS_MAX = 16;
    /**
     * Upper bound on the bytes of memory that a task attempt reserves in advance. The limit of the attempt, divided by
     * {@link #STEP_PART}, is a second upper bound.
     */
    private static final long STEP_BYTES_MAX = 1024 * 1024;

    private static final long STEP_BYTES_MIN = 4096; // smaller amounts are not reserved in advance
    private static final int STEP_PART = 64;

    private final long heapBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final MemoryLedger ledger = new MemoryLedger();
    // number of waiting attempts; attempts read it without the lock, to keep no spare bytes while others wait
    private volatile int waiting;
    private volatile long wakeUps; // number of calls of wake(); written under the lock

    public ProcessMemory(long heapBytes) {
        this.heapBytes = heapBytes;
    }

    /** Opens the memory budget of an application. */
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

    /** Upper bound on the number of bytes that all budgets together may hold. */
    public long bound() {
        lock.lock();
        try {
            return ledger.bound();
        } finally {
            lock.unlock();
        }
    }

    /** Number of bytes that all budgets together hold now. */
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

    @SuppressWarnings("NonAtomicVolatileUpdate") // safe, because the lock guards the update
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

    /** Number of task attempts, of all applications in this process, that wait for memory now. */
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
                    signal(); // attempts now wait for less, because storage has grown: wake them
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
     * Turns execution memory of a task attempt into storage memory. Returns false, and changes nothing, if storage has
     * too little memory left.
     */
    boolean convertToStorage(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.releaseExecution(part, bytes);
            if (ledger.canReserveStorage(part, bytes) && bytes <= ledger.free(part)) {
                ledger.reserveStorage(part, bytes);
                signal(); // attempts now wait for less, because storage has grown: wake them
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

    /** Releases the {@code bytes} that an ended task attempt held, and counts the attempt as active no longer. */
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

    /**
     * State of an application's memory, for error messages. {@code most} is the most that one attempt may hold, and
     * {@code storage} what cached blocks hold. {@code running} is the number of active attempts in the process.
     */
    record TaskShare(long total, long most, long free, long storage, int running) {}

    TaskShare share(ApplicationShare part) {
        lock.lock();
        try {
            // after the share is closed, its attempts may hold nothing
            long most = part.closed ? 0 : ledger.maxPerAttempt(part);
            return new TaskShare(part.total, most, ledger.free(part), part.storage, ledger.active());
        } finally {
            lock.unlock();
        }
    }

    /**
     * One request of a task attempt for execution memory. Used once, by the attempt's thread. The loop in
     * {@link #grant} repeats until the request ends. Each iteration ends the request, evicts cached blocks, or waits.
     * It evicts at most {@link #EVICTIONS_MAX} times between two waits.
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
         * Reserves as much of the requested memory as this attempt can get, and some spare bytes. Returns the number of
         * reserved bytes, including the spare ones.
         */
        long grant() {
            boolean interrupted = false;
            try {
                while (true) {
                    // read this counter before the check, so that no kill is missed between the check and the wait
                    long seenWakeUps = wakeUps;
                    attempt.checkKilled();
                    try {
                        long granted = tryGrant(seenWakeUps);
                        if (granted >= 0) {
                            return granted;
                        }
                    } catch (InterruptedException interrupt) {
                        // the interrupt may be a kill, for which the next iteration checks; the interrupt flag is
                        // restored at the end
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

        /**
         * Tries to reserve the requested memory. Returns the number of bytes granted. Returns a negative number if the
         * caller must evict {@code eviction}, if present, and try again.
         */
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
                signal(); // each attempt now waits for less, so those that wait may have enough
            }
        }

        /**
         * Returns the number of bytes to reserve even if the attempt requests fewer, so that its later small requests
         * need no lock. {@code most} is the maximum that the attempt may hold.
         */
        private long reserveAhead(long most) {
            long step = Math.min(STEP_BYTES_MAX, most / STEP_PART);
            attempt.setStep(step < STEP_BYTES_MIN ? 0 : step);
            return Math.min(attempt.step(), Math.max(0, most - attempt.held()));
        }

        private long reserve(long granted) {
            ledger.reserveExecution(part, granted);
            return granted;
        }

        // safe: the lock guards the update, and the loop is in grant
        @SuppressWarnings({"NonAtomicVolatileUpdate", "WaitNotInLoop"})
        private void await(long seenWakeUps) throws InterruptedException {
            evictions = 0; // blocks that could not be evicted before may be evictable after the wait
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

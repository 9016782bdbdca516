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
 * The heap of this process as far as it is shared out: a budget for each application that runs here, all of them within the
 * largest. One per process, owned by whoever opens the budgets. Its one lock guards the {@link MemoryLedger}, and is not held
 * while anything is asked to evict, to spill, or whether it was killed. Who waits is woken by whatever may change the answer:
 * memory given back or dropped, an attempt that begins or ends, a budget that closes, {@link MemoryBudget#wake}.
 */
public final class ProcessMemory {
    /** How often one request asks kept data to make room, where others take what was freed meanwhile. */
    static final int EVICTIONS_MAX = 16;
    /** What attempts take at a time to have some at hand, and the part of their share that it may be. */
    private static final long STEP_BYTES_MAX = 1024 * 1024;

    private static final long STEP_BYTES_MIN = 4096; // below, nothing is kept at hand
    private static final int STEP_PART = 64;

    private final long heapBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final MemoryLedger ledger = new MemoryLedger();
    private volatile int waiting; // written under the lock; attempts read it to keep nothing at hand while others wait
    private volatile long wakes; // written under the lock

    public ProcessMemory(long heapBytes) {
        this.heapBytes = heapBytes;
    }

    /** Opens an application's budget. */
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

    /** What all budgets may hold together, in bytes. */
    public long bound() {
        lock.lock();
        try {
            return ledger.bound();
        } finally {
            lock.unlock();
        }
    }

    /** What all budgets hold together, in bytes. */
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

    @SuppressWarnings("NonAtomicVolatileUpdate") // the lock makes it so
    void wake() {
        lock.lock();
        try {
            wakes++;
            signal();
        } finally {
            lock.unlock();
        }
    }

    boolean hasWaiting() {
        return waiting > 0;
    }

    /** How many attempts wait. */
    int waiting() {
        return waiting;
    }

    boolean keep(ApplicationShare part, long bytes) {
        List<ApplicationShare> refused = new ArrayList<>();
        for (int evictions = 0; ; evictions++) {
            Optional<Eviction> room;
            lock.lock();
            try {
                if (!ledger.canKeep(part, bytes)) {
                    return false;
                }
                if (bytes <= ledger.free(part)) {
                    ledger.keep(part, bytes);
                    signal(); // what an attempt must have before it is refused is less now
                    return true;
                }
                room = ledger.roomForKept(part, bytes, refused);
            } finally {
                lock.unlock();
            }
            if (room.isEmpty() || evictions == EVICTIONS_MAX) {
                return false;
            }
            evict(room.get(), refused);
        }
    }

    /** Keeps what an attempt has; false, and nothing changed, when so much may not be kept. */
    boolean keepTaken(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.give(part, bytes);
            if (ledger.canKeep(part, bytes) && bytes <= ledger.free(part)) {
                ledger.keep(part, bytes);
                signal(); // what an attempt must have before it is refused is less now
                return true;
            }
            ledger.take(part, bytes);
            return false;
        } finally {
            lock.unlock();
        }
    }

    void drop(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.drop(part, bytes);
            signal();
        } finally {
            lock.unlock();
        }
    }

    void give(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.give(part, bytes);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** An attempt that took something ends, and gives back what it has. */
    void end(ApplicationShare part, long bytes) {
        lock.lock();
        try {
            ledger.give(part, bytes);
            ledger.end(part);
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
        if (eviction.from().kept.evict(eviction.bytes()) <= 0) {
            refused.add(eviction.from());
        }
    }

    /** How an attempt stands: what it may have at most, and who else there is. For errors. */
    record TaskShare(long total, long most, long free, long storage, int running) {}

    TaskShare standing(ApplicationShare part) {
        lock.lock();
        try {
            long most = part.closed ? 0 : ledger.most(part); // what was closed has a share in nothing
            return new TaskShare(part.total, most, ledger.free(part), part.storage, ledger.running());
        } finally {
            lock.unlock();
        }
    }

    /**
     * One request of an attempt, which waits and evicts as need be. Used by the attempt's thread, once. Every turn of
     * {@link #grant} either ends it, evicts (at most {@link #EVICTIONS_MAX} times between two waits), or waits.
     */
    final class Request {
        private final TaskAttemptMemory attempt;
        private final ApplicationShare part;
        private final long needed;
        private final List<ApplicationShare> refused = new ArrayList<>();
        private int evictions;
        private Optional<Eviction> room = Optional.empty();

        Request(TaskAttemptMemory attempt, ApplicationShare part, long needed) {
            this.attempt = attempt;
            this.part = part;
            this.needed = needed;
        }

        /** Books as much of what is needed as there is for this attempt, or a little more to have at hand, and returns it. */
        long grant() {
            boolean interrupted = false;
            try {
                while (true) {
                    long seen = wakes; // before the question, so that no kill is missed between it and the wait
                    attempt.checkKilled();
                    try {
                        long granted = step(seen);
                        if (granted >= 0) {
                            return granted;
                        }
                    } catch (InterruptedException interrupt) {
                        interrupted = true; // perhaps a kill: asked next; else handed on when the wait is over
                    }
                    if (room.isPresent()) {
                        evictions++;
                        evict(room.get(), refused);
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /** What was granted, or less than 0 when there is to be another turn. */
        private long step(long seen) throws InterruptedException {
            lock.lock();
            try {
                join();
                long most = ledger.most(part);
                long wanted = Math.min(needed, Math.max(0, most - attempt.held()));
                long free = ledger.free(part);
                if (wanted <= free) {
                    return book(Math.min(free, Math.max(wanted, atHand(most))));
                }
                room = evictions < EVICTIONS_MAX ? ledger.roomForTask(part, wanted, refused) : Optional.empty();
                if (room.isEmpty()) {
                    if (attempt.held() + free >= ledger.least(part)) {
                        return book(free);
                    }
                    await(seen);
                }
                return -1;
            } finally {
                lock.unlock();
            }
        }

        private void join() {
            if (part.closed) {
                throw ErrorCode.CONTEXT_CLOSED.failure(
                        attempt + ": asked for memory after its context was closed (expected: before)");
            }
            if (attempt.join()) {
                ledger.begin(part);
                signal(); // shares are smaller now: who waits may have enough
            }
        }

        /** What is taken instead of less, so that small steps need no lock. */
        private long atHand(long most) {
            long step = Math.min(STEP_BYTES_MAX, most / STEP_PART);
            attempt.stepBy(step < STEP_BYTES_MIN ? 0 : step);
            return Math.min(attempt.step(), Math.max(0, most - attempt.held()));
        }

        private long book(long granted) {
            ledger.take(part, granted);
            return granted;
        }

        @SuppressWarnings({"NonAtomicVolatileUpdate", "WaitNotInLoop"
        }) // the lock makes it so; the loop is that of grant
        private void await(long seen) throws InterruptedException {
            evictions = 0; // what cannot be evicted now may be by then
            refused.clear();
            if (wakes != seen) {
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

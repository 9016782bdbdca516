package dev.hearth.engine.internal.memory;

import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Accounting of a process's memory by application, and the rule that divides it. A pure state machine, guarded by the
 * lock of {@link ProcessMemory}. No {@link ApplicationShare} reserves more than its total, nor all together more than
 * the bound of the process. A closed share no longer counts, although attempts of its application may still run.
 * <p>Each of {@code n} active attempts may hold 1/n of the memory outside protected storage. An attempt may wait if it
 * has less than 1/(2n) of the memory outside storage. If all waited, over half of that would be free, so they never all
 * wait.
 */
final class MemoryLedger {
    // the share of each application, in the order in which they were opened
    private final List<ApplicationShare> parts = new ArrayList<>();
    private long bound; // bound of the process: the largest total of any share
    private long execution;
    private long storage;
    private int active;

    /**
     * Memory account of one application in this process: its limit, and the bytes of execution and storage memory that
     * it holds. {@code evictable} evicts the application's cached blocks; it is called without the lock of {@link
     * ProcessMemory}.
     */
    static final class ApplicationShare {
        final long total;
        final double storageFraction;
        final Evictable evictable;
        long execution;
        long storage;
        int active; // number of active attempts, which hold a reservation and have not ended
        boolean closed;

        private ApplicationShare(long total, double storageFraction, Evictable evictable) {
            this.total = total;
            this.storageFraction = storageFraction;
            this.evictable = evictable;
        }

        private long unreserved() {
            return total - execution - storage;
        }
    }

    /**
     * Eviction that a request for memory needs: the application {@code from} must evict {@code bytes} of its storage
     * memory.
     */
    record Eviction(ApplicationShare from, long bytes) {}

    ApplicationShare open(long total, double storageFraction, Evictable evictable) {
        ApplicationShare part = new ApplicationShare(total, storageFraction, evictable);
        parts.add(part);
        bound = Math.max(bound, total);
        return part;
    }

    /**
     * Closes the share of an application. Memory that its attempts still hold is no longer counted. Otherwise user code
     * that ignores a kill would keep other applications waiting.
     */
    void close(ApplicationShare part) {
        if (part.closed) {
            return;
        }
        part.closed = true;
        storage -= part.storage;
        part.storage = 0;
        execution -= part.execution;
        active -= part.active;
        parts.remove(part);
        bound = parts.stream().mapToLong(open -> open.total).max().orElse(0);
    }

    long bound() {
        return bound;
    }

    long used() {
        return execution + storage;
    }

    int active() {
        return active;
    }

    /** Number of bytes that the application {@code part} can reserve now without an eviction. */
    long free(ApplicationShare part) {
        return Math.max(0, Math.min(part.unreserved(), bound - used()));
    }

    /** Upper bound on the bytes of execution memory that one task attempt of the application {@code part} may hold. */
    long maxPerAttempt(ApplicationShare part) {
        long protectedBytes = 0;
        for (ApplicationShare each : parts) {
            protectedBytes += Math.min(each.storage, protectedStorage(each));
        }
        long own = part.total - Math.min(part.storage, protectedStorage(part));
        return Math.min(own / part.active, Math.max(0, bound - protectedBytes) / active);
    }

    /**
     * Number of bytes of execution memory for which a task attempt of the application {@code part} may wait. Once the
     * attempt can hold that many bytes in total, it accepts a smaller grant than it requested.
     */
    long minPerAttempt(ApplicationShare part) {
        long own = (part.total - part.storage) / (2L * part.active);
        return Math.min(own, Math.max(0, bound - storage) / (2L * active));
    }

    /**
     * Number of bytes of an application's storage memory that neither tasks nor other applications may evict. It is a
     * fraction of the application's total, or of an even share of the bound if that is less.
     */
    private long protectedStorage(ApplicationShare part) {
        return (long) (part.storageFraction * Math.min(part.total, bound / parts.size()));
    }

    private long evictableStorage(ApplicationShare part) {
        return Math.max(0, part.storage - protectedStorage(part));
    }

    /**
     * Selects the application that must evict storage memory next, and the number of bytes. Its eviction helps a task
     * of the application {@code part} to reserve {@code wanted} bytes. Skips the applications in {@code refused}, which
     * could not evict anything. Empty if no eviction can help.
     */
    Optional<Eviction> evictionForTask(ApplicationShare part, long wanted, Collection<ApplicationShare> refused) {
        long missingInPart = wanted - part.unreserved();
        long missingInAll = wanted - (bound - used());
        long fromOwn = Math.min(evictableStorage(part), Math.max(missingInPart, missingInAll));
        if (fromOwn > 0 && !refused.contains(part)) {
            return Optional.of(new Eviction(part, fromOwn));
        }
        return missingInPart > 0 ? Optional.empty() : evictionElsewhere(part, missingInAll, refused);
    }

    /**
     * Returns whether {@code part} could reserve {@code bytes} more of storage memory, if all blocks that may be
     * evicted for it were evicted.
     */
    boolean canReserveStorage(ApplicationShare part, long bytes) {
        if (part.closed || bytes > part.total - part.execution) {
            return false;
        }
        long others = 0;
        for (ApplicationShare each : parts) {
            if (each != part) {
                others += each.storage - (fitsProtectedStorage(part, bytes) ? evictableStorage(each) : 0);
            }
        }
        return bytes <= bound - execution - others;
    }

    /**
     * Selects the application that must evict storage memory next, and the number of bytes. Its eviction helps the
     * application {@code part} to store {@code bytes} more. Skips the applications in {@code refused}, which could not
     * evict anything. Empty if no eviction can help.
     */
    Optional<Eviction> evictionForStorage(ApplicationShare part, long bytes, Collection<ApplicationShare> refused) {
        long missingInPart = bytes - part.unreserved();
        long missingInAll = bytes - (bound - used());
        if (missingInPart <= 0 && fitsProtectedStorage(part, bytes)) {
            Optional<Eviction> elsewhere = evictionElsewhere(part, missingInAll, refused);
            if (elsewhere.isPresent()) {
                return elsewhere;
            }
        }
        long fromOwn = Math.min(part.storage, Math.max(missingInPart, missingInAll));
        return fromOwn > 0 && !refused.contains(part) ? Optional.of(new Eviction(part, fromOwn)) : Optional.empty();
    }

    /**
     * Returns whether the application {@code part} stays within its protected storage if it stores {@code bytes} more.
     * If so, other applications must evict unprotected storage to make room for these bytes.
     */
    private boolean fitsProtectedStorage(ApplicationShare part, long bytes) {
        return part.storage + bytes <= protectedStorage(part);
    }

    private Optional<Eviction> evictionElsewhere(
            ApplicationShare part, long missing, Collection<ApplicationShare> refused) {
        for (ApplicationShare other : parts) {
            long available = Math.min(evictableStorage(other), missing);
            if (other != part && available > 0 && !refused.contains(other)) {
                return Optional.of(new Eviction(other, available));
            }
        }
        return Optional.empty();
    }

    void attemptStarted(ApplicationShare part) {
        part.active++;
        active++;
    }

    void attemptEnded(ApplicationShare part) {
        part.active--;
        active -= part.closed ? 0 : 1;
    }

    void reserveExecution(ApplicationShare part, long bytes) {
        part.execution += bytes;
        execution += part.closed ? 0 : bytes;
    }

    void releaseExecution(ApplicationShare part, long bytes) {
        part.execution -= bytes;
        execution -= part.closed ? 0 : bytes;
    }

    void reserveStorage(ApplicationShare part, long bytes) {
        part.storage += bytes;
        storage += bytes;
    }

    void releaseStorage(ApplicationShare part, long bytes) {
        if (part.closed) {
            return; // the memory was already released when the share was closed
        }
        if (bytes > part.storage) {
            throw ErrorCode.INTERNAL.failure("memory budget: " + bytes
                    + " bytes of storage released (expected: at most the " + part.storage + " that are reserved)");
        }
        part.storage -= bytes;
        storage -= bytes;
    }
}

package dev.hearth.engine.internal.memory;

import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Who holds how much of a process's memory, and who may have how much more. Knows neither threads nor locks: owned by the lock
 * of {@link ProcessMemory}. Invariants: the sums are those of the parts; nothing is booked that goes over a part's total or
 * over the bound; a part that was closed keeps nothing and counts no more, though its attempts may still have to end.
 * <p>Of {@code n} attempts, in all parts, each may take up to 1/n of what there is beside protected storage, and may wait while
 * it has less than 1/(2n) of what there is beside storage. So they never all wait: they would hold less than a half together,
 * and the other half would be free.
 */
final class MemoryLedger {
    private final List<ApplicationShare> parts = new ArrayList<>(); // in the order of opening
    private long bound; // the largest total of the parts
    private long execution;
    private long storage;
    private int running;

    /** One application's part. {@code kept} is asked to make room by whoever owns the ledger's lock, without holding it. */
    static final class ApplicationShare {
        final long total;
        final double storageFraction;
        final Evictable kept;
        long execution;
        long storage;
        int running; // attempts that took something and have not ended
        boolean closed;

        private ApplicationShare(long total, double storageFraction, Evictable kept) {
            this.total = total;
            this.storageFraction = storageFraction;
            this.kept = kept;
        }

        private long rest() {
            return total - execution - storage;
        }
    }

    /** What would make room: so many bytes of what {@code from} keeps. */
    record Eviction(ApplicationShare from, long bytes) {}

    ApplicationShare open(long total, double storageFraction, Evictable kept) {
        ApplicationShare part = new ApplicationShare(total, storageFraction, kept);
        parts.add(part);
        bound = Math.max(bound, total);
        return part;
    }

    /** Nobody waits for what a closed part's attempts still hold: code that hears no kill would hold up all others. */
    void close(ApplicationShare part) {
        if (part.closed) {
            return;
        }
        part.closed = true;
        storage -= part.storage;
        part.storage = 0;
        execution -= part.execution;
        running -= part.running;
        parts.remove(part);
        bound = parts.stream().mapToLong(open -> open.total).max().orElse(0);
    }

    long bound() {
        return bound;
    }

    long used() {
        return execution + storage;
    }

    int running() {
        return running;
    }

    /** What is free for {@code part}. */
    long free(ApplicationShare part) {
        return Math.max(0, Math.min(part.rest(), bound - used()));
    }

    /** What an attempt of {@code part} may hold at most. */
    long most(ApplicationShare part) {
        long safe = 0;
        for (ApplicationShare each : parts) {
            safe += Math.min(each.storage, guarded(each));
        }
        long own = part.total - Math.min(part.storage, guarded(part));
        return Math.min(own / part.running, Math.max(0, bound - safe) / running);
    }

    /** What an attempt of {@code part} must have before it is refused more. */
    long least(ApplicationShare part) {
        long own = (part.total - part.storage) / (2L * part.running);
        return Math.min(own, Math.max(0, bound - storage) / (2L * running));
    }

    /** The storage that nobody may evict for tasks, and no other part for anything: an even share where there are several. */
    private long guarded(ApplicationShare part) {
        return (long) (part.storageFraction * Math.min(part.total, bound / parts.size()));
    }

    private long spare(ApplicationShare part) {
        return Math.max(0, part.storage - guarded(part));
    }

    /** What to evict so that a task of {@code part} gets {@code wanted} bytes; those of {@code refused} have nothing to give. */
    Optional<Eviction> roomForTask(ApplicationShare part, long wanted, Collection<ApplicationShare> refused) {
        long missingHere = wanted - part.rest();
        long missingAll = wanted - (bound - used());
        long own = Math.min(spare(part), Math.max(missingHere, missingAll));
        if (own > 0 && !refused.contains(part)) {
            return Optional.of(new Eviction(part, own));
        }
        return missingHere > 0 ? Optional.empty() : roomElsewhere(part, missingAll, refused);
    }

    /** Whether {@code bytes} more could be kept if all that may be evicted for them was. */
    boolean canKeep(ApplicationShare part, long bytes) {
        if (part.closed || bytes > part.total - part.execution) {
            return false;
        }
        long others = 0;
        for (ApplicationShare each : parts) {
            if (each != part) {
                others += each.storage - (isDue(part, bytes) ? spare(each) : 0);
            }
        }
        return bytes <= bound - execution - others;
    }

    /** What to evict so that {@code part} may keep {@code bytes} more. */
    Optional<Eviction> roomForKept(ApplicationShare part, long bytes, Collection<ApplicationShare> refused) {
        long missingHere = bytes - part.rest();
        long missingAll = bytes - (bound - used());
        if (missingHere <= 0 && isDue(part, bytes)) {
            Optional<Eviction> elsewhere = roomElsewhere(part, missingAll, refused);
            if (elsewhere.isPresent()) {
                return elsewhere;
            }
        }
        long own = Math.min(part.storage, Math.max(missingHere, missingAll));
        return own > 0 && !refused.contains(part) ? Optional.of(new Eviction(part, own)) : Optional.empty();
    }

    /** Whether so much more stays within what is guarded, for which others' spare storage has to go. */
    private boolean isDue(ApplicationShare part, long bytes) {
        return part.storage + bytes <= guarded(part);
    }

    private Optional<Eviction> roomElsewhere(
            ApplicationShare part, long missing, Collection<ApplicationShare> refused) {
        for (ApplicationShare other : parts) {
            long spare = Math.min(spare(other), missing);
            if (other != part && spare > 0 && !refused.contains(other)) {
                return Optional.of(new Eviction(other, spare));
            }
        }
        return Optional.empty();
    }

    void begin(ApplicationShare part) {
        part.running++;
        running++;
    }

    void end(ApplicationShare part) {
        part.running--;
        running -= part.closed ? 0 : 1;
    }

    void take(ApplicationShare part, long bytes) {
        part.execution += bytes;
        execution += part.closed ? 0 : bytes;
    }

    void give(ApplicationShare part, long bytes) {
        part.execution -= bytes;
        execution -= part.closed ? 0 : bytes;
    }

    void keep(ApplicationShare part, long bytes) {
        part.storage += bytes;
        storage += bytes;
    }

    void drop(ApplicationShare part, long bytes) {
        if (part.closed) {
            return; // went with it
        }
        if (bytes > part.storage) {
            throw ErrorCode.INTERNAL.failure("memory budget: " + bytes + " bytes dropped (expected: at most the "
                    + part.storage + " that are kept)");
        }
        part.storage -= bytes;
        storage -= bytes;
    }
}

package dev.hearth.engine.internal.memory;

import dev.hearth.engine.internal.memory.MemoryLedger.ApplicationShare;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Execution memory of one task attempt, which is reserved from the pool of {@link ProcessMemory}. Owned by the
 * attempt's thread. An attempt joins the pool with its first reservation. Of the {@code held} bytes, consumers use a
 * part, and the rest is {@code spare}. Most calls only move bytes between these two parts, and so do not need the lock
 * of the pool. While other attempts wait for memory, no bytes stay spare.
 */
final class TaskAttemptMemory extends MeteredTaskMemory {
    private static final List<Usage> NO_USAGES = List.of();

    private final ProcessMemory process;
    private final ApplicationShare part;
    private final long task;
    private final Runnable killCheck;

    private boolean joined;
    private boolean closed;
    private long held;
    private long spare;
    private long step; // bytes to reserve in advance, so that small calls need no lock
    private long required;
    private List<Usage> usages = NO_USAGES; // the consumers that hold memory
    private @Nullable Usage lastUsed;
    private long spillTarget; // number of bytes for which a consumer is spilling now; 0 if none is spilling
    private long spillRounds;

    /** The memory that one consumer of this task attempt holds and can release by a spill. */
    private static final class Usage {
        final Spillable consumer;
        long bytes;
        long lastSpillRound; // number of the last round in which this consumer was asked to spill

        Usage(Spillable consumer) {
            this.consumer = consumer;
        }
    }

    TaskAttemptMemory(ProcessMemory process, ApplicationShare part, long task, Runnable killCheck) {
        this.process = process;
        this.part = part;
        this.task = task;
        this.killCheck = killCheck;
    }

    static long requireNonNegative(long bytes) {
        if (bytes < 0) {
            throw ErrorCode.INTERNAL.failure("memory: " + bytes + " bytes (expected: 0 or more)");
        }
        return bytes;
    }

    @Override
    public long take(long wanted, Spillable consumer) {
        if (requireNonNegative(wanted) > spare) {
            reserve(wanted, consumer);
        }
        long taken = Math.min(wanted, spare);
        if (taken > 0) {
            spare -= taken;
            usageOf(consumer).bytes += taken;
            reached(held - spare);
        }
        return taken;
    }

    @Override
    public void require(long bytes, String subject) {
        if (requireNonNegative(bytes) > spare) {
            reserve(bytes, null);
            if (bytes > spare) {
                throw exhausted(bytes, subject);
            }
        }
        spare -= bytes;
        required += bytes;
        reached(held - spare);
    }

    private RuntimeException exhausted(long bytes, String subject) {
        ProcessMemory.TaskShare share = process.share(part);
        long obtainable = Math.max(0, Math.min(share.free(), share.most() - held)) + spare;
        trimSpare(0);
        return ErrorCode.MEMORY_EXHAUSTED.failure(subject + ": " + bytes + " bytes of memory requested by task " + task
                + ", which holds " + (held - spare) + " and can get " + obtainable + " more (expected: at most "
                + share.most() + " for each of " + Quantity.of(share.running(), "running task") + "; the total is "
                + share.total()
                + ", of which cached blocks hold " + share.storage() + "); raise the memory of its process"
                + " (hearth.executor.memory or hearth.driver.memory), hearth.memory.fraction, or hearth.memory.total"
                + " where it is set, or run fewer tasks at a time");
    }

    /**
     * Increases {@code spare}, the reserved bytes that no consumer uses, to {@code wanted} bytes or as far as possible.
     * First reserves bytes of {@code process}, then makes consumers other than {@code requester} spill.
     */
    private void reserve(long wanted, @Nullable Spillable requester) {
        if (closed) {
            throw ErrorCode.INTERNAL.failure(this + ": memory requested after the attempt ended (expected: before)");
        }
        acquire(wanted - spare);
        if (spare >= wanted || spillTarget > 0) {
            // a consumer that is spilling gets free memory, but never makes others spill
            return;
        }
        spillOthers(wanted, requester);
        trimSpare(Math.max(wanted, step));
    }

    private void spillOthers(long wanted, @Nullable Spillable requester) {
        spillRounds++;
        for (Usage next = largestUsageExcept(requester);
                next != null && spare < wanted;
                next = largestUsageExcept(requester)) {
            next.lastSpillRound = spillRounds;
            spillTarget = wanted;
            try {
                next.consumer.spill(wanted - spare);
            } finally {
                spillTarget = 0;
            }
            if (spare < wanted) {
                acquire(wanted - spare);
            }
        }
        lastUsed = null;
        if (!usages.isEmpty()) {
            usages.removeIf(usage -> usage.bytes == 0);
        }
    }

    private @Nullable Usage largestUsageExcept(@Nullable Spillable requester) {
        Usage largest = null;
        for (Usage usage : usages) {
            boolean asked = usage.consumer == requester || usage.lastSpillRound == spillRounds;
            if (!asked && usage.bytes > (largest == null ? 0 : largest.bytes)) {
                largest = usage;
            }
        }
        return largest;
    }

    private void acquire(long needed) {
        long acquired = process.new Request(this, part, needed).grant();
        held += acquired;
        spare += acquired;
    }

    private Usage usageOf(Spillable consumer) {
        Usage last = lastUsed;
        if (last != null && last.consumer == consumer) {
            return last;
        }
        for (Usage usage : usages) {
            if (usage.consumer == consumer) {
                lastUsed = usage;
                return usage;
            }
        }
        if (usages == NO_USAGES) {
            usages = new ArrayList<>();
        }
        Usage added = new Usage(consumer);
        usages.add(added);
        lastUsed = added;
        return added;
    }

    @Override
    public void give(long bytes, Spillable consumer) {
        Usage usage = usageOf(consumer);
        if (requireNonNegative(bytes) > usage.bytes) {
            throw releasedTooMuch(bytes, usage.bytes);
        }
        usage.bytes -= bytes;
        if (usage.bytes == 0 && spillTarget == 0) {
            // keep the entry during a spill, because it records that the consumer was asked
            usages.remove(usage);
            lastUsed = null;
        }
        addToSpare(bytes);
    }

    @Override
    public boolean keep(long bytes, Spillable consumer) {
        Usage usage = usageOf(consumer);
        if (requireNonNegative(bytes) > usage.bytes) {
            throw releasedTooMuch(bytes, usage.bytes);
        }
        if (!process.convertToStorage(part, bytes)) {
            return false;
        }
        held -= bytes;
        usage.bytes -= bytes;
        if (usage.bytes == 0 && spillTarget == 0) {
            usages.remove(usage);
            lastUsed = null;
        }
        return true;
    }

    @Override
    public void give(long bytes) {
        if (requireNonNegative(bytes) > required) {
            throw releasedTooMuch(bytes, required);
        }
        required -= bytes;
        addToSpare(bytes);
    }

    private RuntimeException releasedTooMuch(long bytes, long most) {
        return ErrorCode.INTERNAL.failure(
                this + ": " + bytes + " bytes released (expected: at most the " + most + " that are reserved)");
    }

    private void addToSpare(long bytes) {
        spare += bytes;
        if (spare > 2 * step || process.hasWaiting()) {
            trimSpare(process.hasWaiting() ? 0 : Math.max(step, spillTarget));
        }
    }

    /** Releases reserved bytes that no consumer uses to {@code process}, until at most {@code most} are left. */
    private void trimSpare(long most) {
        long surplus = spare - most;
        if (surplus > 0) {
            spare -= surplus;
            held -= surplus;
            process.give(part, surplus);
        }
    }

    @Override
    public long close() {
        if (!joined || closed) {
            closed = true;
            return 0;
        }
        closed = true;
        long left = held - spare;
        process.end(part, held);
        held = 0;
        spare = 0;
        required = 0;
        usages = NO_USAGES;
        lastUsed = null;
        return left;
    }

    void checkKilled() {
        killCheck.run();
    }

    long held() {
        return held;
    }

    long step() {
        return step;
    }

    void setStep(long bytes) {
        step = bytes;
    }

    /** Notes that this attempt counts as active from now on. Returns whether it was not active before. */
    boolean join() {
        boolean first = !joined;
        joined = true;
        return first;
    }

    @Override
    public String toString() {
        return "task " + task;
    }
}

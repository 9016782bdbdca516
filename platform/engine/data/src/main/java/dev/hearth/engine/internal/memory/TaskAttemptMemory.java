package dev.hearth.engine.internal.memory;

import dev.hearth.engine.internal.memory.MemoryLedger.ApplicationShare;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt's account. Owned by the attempt's thread. It joins those who share memory when it first takes some; until then it
 * costs nothing. What it has of the process is {@code held}: what its holders use, and {@code spare}, a little at hand, which
 * makes most calls a few additions. Nothing is kept at hand while others wait.
 */
final class TaskAttemptMemory extends MeteredTaskMemory {
    private static final List<Use> NONE = List.of();

    private final ProcessMemory process;
    private final ApplicationShare part;
    private final long task;
    private final Runnable killed;

    private boolean joined;
    private boolean closed;
    private long held;
    private long spare;
    private long step; // what is taken to have at hand
    private long required;
    private List<Use> uses = NONE; // those that hold something
    private @Nullable Use latest;
    private long wantedWhileSpilling; // what somebody spills for: more than 0 while somebody does
    private long rounds;

    /** What one holder uses. */
    private static final class Use {
        final Spillable holder;
        long bytes;
        long round; // the last in which it was asked to spill

        Use(Spillable holder) {
            this.holder = holder;
        }
    }

    TaskAttemptMemory(ProcessMemory process, ApplicationShare part, long task, Runnable killed) {
        this.process = process;
        this.part = part;
        this.task = task;
        this.killed = killed;
    }

    static long amount(long bytes) {
        if (bytes < 0) {
            throw ErrorCode.INTERNAL.failure("memory: " + bytes + " bytes (expected: 0 or more)");
        }
        return bytes;
    }

    @Override
    public long take(long wanted, Spillable holder) {
        if (amount(wanted) > spare) {
            reserve(wanted, holder);
        }
        long taken = Math.min(wanted, spare);
        if (taken > 0) {
            spare -= taken;
            use(holder).bytes += taken;
            reached(held - spare);
        }
        return taken;
    }

    @Override
    public void require(long bytes, String subject) {
        if (amount(bytes) > spare) {
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
        ProcessMemory.TaskShare standing = process.standing(part);
        long rest = Math.max(0, Math.min(standing.free(), standing.most() - held)) + spare;
        trim(0);
        return ErrorCode.MEMORY_EXHAUSTED.failure(subject + ": " + bytes + " bytes of memory wanted by task " + task
                + ", which holds " + (held - spare) + " and can have " + rest + " more (expected: at most "
                + standing.most() + " for each of " + standing.running() + " that run, of the " + standing.total()
                + " there are, " + standing.storage() + " of them kept); raise the memory of its process"
                + " (hearth.executor.memory or hearth.driver.memory), hearth.memory.fraction, or hearth.memory.total"
                + " where it is set, or run fewer tasks at a time");
    }

    /** Sees to it that so much is at hand, as far as it can be had. */
    private void reserve(long wanted, @Nullable Spillable asker) {
        if (closed) {
            throw ErrorCode.INTERNAL.failure(this + ": memory taken after its end (expected: before)");
        }
        obtain(wanted - spare);
        if (spare >= wanted || wantedWhileSpilling > 0) { // who spills takes what there is, and has nobody else spill
            return;
        }
        spillOthers(wanted, asker);
        trim(Math.max(wanted, step));
    }

    private void spillOthers(long wanted, @Nullable Spillable asker) {
        rounds++;
        for (Use next = largestBut(asker); next != null && spare < wanted; next = largestBut(asker)) {
            next.round = rounds;
            wantedWhileSpilling = wanted;
            try {
                next.holder.spill(wanted - spare);
            } finally {
                wantedWhileSpilling = 0;
            }
            if (spare < wanted) {
                obtain(wanted - spare);
            }
        }
        latest = null;
        if (!uses.isEmpty()) {
            uses.removeIf(use -> use.bytes == 0);
        }
    }

    private @Nullable Use largestBut(@Nullable Spillable asker) {
        Use largest = null;
        for (Use use : uses) {
            boolean asked = use.holder == asker || use.round == rounds;
            if (!asked && use.bytes > (largest == null ? 0 : largest.bytes)) {
                largest = use;
            }
        }
        return largest;
    }

    private void obtain(long needed) {
        long granted = process.new Request(this, part, needed).grant();
        held += granted;
        spare += granted;
    }

    private Use use(Spillable holder) {
        Use last = latest;
        if (last != null && last.holder == holder) {
            return last;
        }
        for (Use use : uses) {
            if (use.holder == holder) {
                latest = use;
                return use;
            }
        }
        if (uses == NONE) {
            uses = new ArrayList<>();
        }
        Use made = new Use(holder);
        uses.add(made);
        latest = made;
        return made;
    }

    @Override
    public void give(long bytes, Spillable holder) {
        Use use = use(holder);
        if (amount(bytes) > use.bytes) {
            throw gaveTooMuch(bytes, use.bytes);
        }
        use.bytes -= bytes;
        if (use.bytes == 0 && wantedWhileSpilling == 0) { // while somebody spills it is remembered that it was asked
            uses.remove(use);
            latest = null;
        }
        returned(bytes);
    }

    @Override
    public boolean keep(long bytes, Spillable holder) {
        Use use = use(holder);
        if (amount(bytes) > use.bytes) {
            throw gaveTooMuch(bytes, use.bytes);
        }
        if (!process.keepTaken(part, bytes)) {
            return false;
        }
        held -= bytes;
        use.bytes -= bytes;
        if (use.bytes == 0 && wantedWhileSpilling == 0) {
            uses.remove(use);
            latest = null;
        }
        return true;
    }

    @Override
    public void give(long bytes) {
        if (amount(bytes) > required) {
            throw gaveTooMuch(bytes, required);
        }
        required -= bytes;
        returned(bytes);
    }

    private RuntimeException gaveTooMuch(long bytes, long most) {
        return ErrorCode.INTERNAL.failure(
                this + ": " + bytes + " bytes given back (expected: at most the " + most + " that were taken)");
    }

    private void returned(long bytes) {
        spare += bytes;
        if (spare > 2 * step || process.hasWaiting()) {
            trim(process.hasWaiting() ? 0 : Math.max(step, wantedWhileSpilling));
        }
    }

    /** Gives back what is at hand beyond so much. */
    private void trim(long most) {
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
        uses = NONE;
        latest = null;
        return left;
    }

    void checkKilled() {
        killed.run();
    }

    long held() {
        return held;
    }

    long step() {
        return step;
    }

    void stepBy(long bytes) {
        step = bytes;
    }

    /** Whether this is the first time that it takes something. */
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

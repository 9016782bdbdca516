package dev.hearth.engine.internal.memory;

/** What one holder has of its task's memory: as much as could be had, and what it cannot do without. Owned by the holder. */
public final class MemoryReservation {
    private final TaskMemory memory;
    private final Spillable holder;
    private final String subject;
    private long taken;
    private long required;

    public MemoryReservation(TaskMemory memory, Spillable holder, String subject) {
        this.memory = memory;
        this.holder = holder;
        this.subject = subject;
    }

    /** Takes all of it or nothing. */
    public boolean take(long bytes) {
        long got = memory.take(bytes, holder);
        taken += got;
        if (got < bytes) {
            give(got);
            return false;
        }
        return true;
    }

    /** Takes what the holder cannot do without, or fails by name. */
    public void require(long bytes) {
        memory.require(bytes, subject);
        required += bytes;
    }

    /** Gives back, first of what was taken, then of what it could not do without. */
    public void give(long bytes) {
        long back = Math.min(bytes, taken);
        taken -= back;
        memory.give(back, holder);
        long rest = Math.min(bytes - back, required);
        required -= rest;
        if (rest > 0) {
            memory.give(rest);
        }
    }

    /** Everything. */
    public long held() {
        return taken + required;
    }

    /** Gives all back but so much; returns how much that was. */
    public long giveAllBut(long bytes) {
        long given = Math.max(0, held() - bytes);
        give(given);
        return given;
    }

    /** As {@link TaskMemory#spilled}. */
    public void spilled(long memoryBytes, long diskBytes) {
        memory.spilled(memoryBytes, diskBytes);
    }
}

package dev.hearth.engine.internal.memory;

/**
 * Memory reserved by one consumer of a task: the part it can spill, and the required part it cannot work without. Owned
 * by the consumer.
 */
public final class MemoryReservation {
    private final TaskMemory memory;
    private final Spillable consumer;
    private final String subject;
    private long taken;
    private long required;

    public MemoryReservation(TaskMemory memory, Spillable consumer, String subject) {
        this.memory = memory;
        this.consumer = consumer;
        this.subject = subject;
    }

    /** Reserves all {@code bytes} or nothing; returns whether it did. */
    public boolean take(long bytes) {
        long granted = memory.take(bytes, consumer);
        taken += granted;
        if (granted < bytes) {
            give(granted);
            return false;
        }
        return true;
    }

    /**
     * Reserves bytes that the consumer cannot work without; fails with {@code MEMORY_EXHAUSTED} if they are
     * unavailable.
     */
    public void require(long bytes) {
        memory.require(bytes, subject);
        required += bytes;
    }

    /** Releases bytes, those reserved by {@link #take} first, then required ones. */
    public void give(long bytes) {
        long fromTaken = Math.min(bytes, taken);
        taken -= fromTaken;
        memory.give(fromTaken, consumer);
        long fromRequired = Math.min(bytes - fromTaken, required);
        required -= fromRequired;
        if (fromRequired > 0) {
            memory.give(fromRequired);
        }
    }

    /** All reserved bytes, required ones included. */
    public long held() {
        return taken + required;
    }

    /** Releases everything beyond {@code bytes}; returns how much it released. */
    public long giveAllBut(long bytes) {
        long released = Math.max(0, held() - bytes);
        give(released);
        return released;
    }

    /** Records a spill for metrics: see {@link TaskMemory#spilled}. */
    public void spilled(long memoryBytes, long diskBytes) {
        memory.spilled(memoryBytes, diskBytes);
    }
}

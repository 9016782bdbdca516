package dev.hearth.engine.internal.memory;

/**
 * Memory reserved by one consumer of a task, such as a sort. It has two parts: memory that the consumer can free by a
 * spill, and required memory, without which the consumer cannot work. Owned by the consumer.
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

    /**
     * Reserves {@code bytes} of memory that the consumer can free by a spill: all of them or nothing. Returns whether
     * they were reserved.
     */
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
     * Reserves required memory, without which the consumer cannot work. Fails with {@code MEMORY_EXHAUSTED} if there is
     * too little memory.
     */
    public void require(long bytes) {
        memory.require(bytes, subject);
        required += bytes;
    }

    /** Releases {@code bytes}: first memory that was reserved by {@link #take}, then required memory. */
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

    /** Number of reserved bytes, including required memory. */
    public long held() {
        return taken + required;
    }

    /** Releases memory until at most {@code bytes} are still reserved. Returns the number of bytes released. */
    public long giveAllBut(long bytes) {
        long released = Math.max(0, held() - bytes);
        give(released);
        return released;
    }

    /** Counts a spill in the metrics of the task: see {@link TaskMemory#spilled}. */
    public void spilled(long memoryBytes, long diskBytes) {
        memory.spilled(memoryBytes, diskBytes);
    }
}

package dev.hearth.engine.internal.memory;

import java.util.ArrayList;
import java.util.List;

/** A consumer of execution memory that spills as much as requested, or {@link #spillsAtMost}. Owned by one thread. */
final class TestingSpillable implements Spillable {
    final List<Long> asked = new ArrayList<>();
    long bytes;
    long spillsAtMost = Long.MAX_VALUE;
    long takesWhileSpilling; // bytes that it tries to reserve during a spill

    private final TaskMemory memory;

    TestingSpillable(TaskMemory memory) {
        this.memory = memory;
    }

    long take(long wanted) {
        long granted = memory.take(wanted, this);
        bytes += granted;
        return granted;
    }

    void give(long released) {
        bytes -= released;
        memory.give(released, this);
    }

    @Override
    public long spill(long wanted) {
        asked.add(wanted);
        if (takesWhileSpilling > 0) {
            take(takesWhileSpilling);
        }
        long released = Math.min(Math.min(wanted, bytes), spillsAtMost);
        give(released);
        memory.spilled(released, released / 2);
        return released;
    }
}

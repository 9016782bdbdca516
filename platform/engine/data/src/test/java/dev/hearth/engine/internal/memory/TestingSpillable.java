package dev.hearth.engine.internal.memory;

import java.util.ArrayList;
import java.util.List;

/** Holds bytes of an attempt and spills as much as it is asked for, or what {@link #spillsAtMost} says. Owned by one thread. */
final class TestingSpillable implements Spillable {
    final List<Long> asked = new ArrayList<>();
    long bytes;
    long spillsAtMost = Long.MAX_VALUE;
    long takesWhileSpilling; // what it tries to take for the writing

    private final TaskMemory memory;

    TestingSpillable(TaskMemory memory) {
        this.memory = memory;
    }

    long take(long wanted) {
        long taken = memory.take(wanted, this);
        bytes += taken;
        return taken;
    }

    void give(long given) {
        bytes -= given;
        memory.give(given, this);
    }

    @Override
    public long spill(long wanted) {
        asked.add(wanted);
        if (takesWhileSpilling > 0) {
            take(takesWhileSpilling);
        }
        long given = Math.min(Math.min(wanted, bytes), spillsAtMost);
        give(given);
        memory.spilled(given, given / 2);
        return given;
    }
}

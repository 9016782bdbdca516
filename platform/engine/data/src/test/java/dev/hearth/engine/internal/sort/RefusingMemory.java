package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.memory.MeteredTaskMemory;
import dev.hearth.engine.internal.memory.Spillable;
import java.util.Random;

/**
 * A task's memory that refuses requests at random, and always beyond its bound. Counts reservations; owned by one
 * thread.
 */
final class RefusingMemory extends MeteredTaskMemory {
    private final Random random;
    private final int refusedOf; // one in this many requests is refused; 0 for none
    long most;
    long held;
    long required;
    int spills;

    RefusingMemory(Random random, long most, int refusedOf) {
        this.random = random;
        this.most = most;
        this.refusedOf = refusedOf;
    }

    @Override
    public long take(long wanted, Spillable consumer) {
        long taken = Math.max(0, Math.min(wanted, most - held - required));
        if (refusedOf > 0 && random.nextInt(refusedOf) == 0) {
            taken = (long) (taken * random.nextDouble());
        }
        held += taken;
        reached(held + required);
        return taken;
    }

    @Override
    public void require(long bytes, String subject) {
        required += bytes;
    }

    @Override
    public void give(long bytes, Spillable consumer) {
        held -= bytes;
    }

    @Override
    public void give(long bytes) {
        required -= bytes;
    }

    @Override
    public void spilled(long memoryBytes, long diskBytes) {
        spills++;
        super.spilled(memoryBytes, diskBytes);
    }

    @Override
    public long close() {
        return held + required;
    }
}

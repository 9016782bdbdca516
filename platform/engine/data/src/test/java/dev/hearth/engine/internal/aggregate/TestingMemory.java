package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.MeteredTaskMemory;
import dev.hearth.engine.internal.memory.Spillable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * A task's memory that refuses requests and makes consumers spill at random, and tracks what each consumer holds. For
 * tests; one thread.
 */
final class TestingMemory extends MeteredTaskMemory {
    private final Random random;
    private final int refusePerMille;
    private final int spillPerMille;
    private final Map<Spillable, Long> held = new LinkedHashMap<>();
    private boolean spilling;
    private long required;
    int spills;
    int refusals; // number of further requests to refuse

    TestingMemory(Random random, int refusePerMille, int spillPerMille) {
        this.random = random;
        this.refusePerMille = refusePerMille;
        this.spillPerMille = spillPerMille;
    }

    @Override
    public long take(long wanted, Spillable consumer) {
        if (!spilling && random.nextInt(1000) < spillPerMille) {
            spillAll(consumer);
        }
        boolean refused = random.nextInt(1000) < refusePerMille || refusals-- > 0;
        long granted = refused ? random.nextLong(wanted + 1) / 2 : wanted;
        held.merge(consumer, granted, Long::sum);
        reached(left());
        return granted;
    }

    /** Makes all consumers spill but one. */
    void spillAll(Spillable except) {
        spilling = true;
        for (Spillable consumer : Map.copyOf(held).keySet()) {
            if (consumer != except && held.get(consumer) > 0) {
                long before = held.get(consumer) + required;
                long reported = consumer.spill(held.get(consumer));
                long released = before - held.get(consumer) - required;
                if (reported != released) {
                    throw new AssertionError(reported + " bytes reported, " + released + " released");
                }
                spills++;
            }
        }
        spilling = false;
    }

    /** Makes all consumers spill at random, as another consumer's request would. */
    void askByChance() {
        if (random.nextInt(1000) < spillPerMille) {
            spillAll(wanted -> 0);
        }
    }

    @Override
    public void require(long bytes, String subject) {
        required += bytes;
    }

    @Override
    public void give(long bytes, Spillable consumer) {
        long left = held.merge(consumer, -bytes, Long::sum);
        if (left < 0 || bytes < 0) {
            throw new AssertionError("released " + bytes + " bytes, which leaves " + left);
        }
    }

    @Override
    public void give(long bytes) {
        required -= bytes;
        if (required < 0 || bytes < 0) {
            throw new AssertionError("released " + bytes + " required bytes, which leaves " + required);
        }
    }

    /** Bytes reserved in all. */
    long left() {
        return required + held.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public long close() {
        return left();
    }
}

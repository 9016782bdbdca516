package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.MeteredTaskMemory;
import dev.hearth.engine.internal.memory.Spillable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** A task's memory that refuses and has holders spill by chance, and knows who holds what. For tests; one thread. */
final class TestingMemory extends MeteredTaskMemory {
    private final Random random;
    private final int refusePerMille;
    private final int spillPerMille;
    private final Map<Spillable, Long> held = new LinkedHashMap<>();
    private boolean spilling;
    private long required;
    int spills;
    int refusals; // so many of the next questions are refused

    TestingMemory(Random random, int refusePerMille, int spillPerMille) {
        this.random = random;
        this.refusePerMille = refusePerMille;
        this.spillPerMille = spillPerMille;
    }

    @Override
    public long take(long wanted, Spillable holder) {
        if (!spilling && random.nextInt(1000) < spillPerMille) {
            spillAll(holder);
        }
        boolean refused = random.nextInt(1000) < refusePerMille || refusals-- > 0;
        long got = refused ? random.nextLong(wanted + 1) / 2 : wanted;
        held.merge(holder, got, Long::sum);
        reached(left());
        return got;
    }

    /** Has all spill but one. */
    void spillAll(Spillable but) {
        spilling = true;
        for (Spillable holder : Map.copyOf(held).keySet()) {
            if (holder != but && held.get(holder) > 0) {
                long before = held.get(holder) + required;
                long told = holder.spill(held.get(holder));
                long given = before - held.get(holder) - required;
                if (told != given) {
                    throw new AssertionError(told + " bytes told, " + given + " given back");
                }
                spills++;
            }
        }
        spilling = false;
    }

    /** Has somebody else ask for memory, which perhaps is in need of it. */
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
    public void give(long bytes, Spillable holder) {
        long left = held.merge(holder, -bytes, Long::sum);
        if (left < 0 || bytes < 0) {
            throw new AssertionError("gave back " + bytes + " bytes, which leaves " + left);
        }
    }

    @Override
    public void give(long bytes) {
        required -= bytes;
        if (required < 0 || bytes < 0) {
            throw new AssertionError("gave back " + bytes + " required bytes, which leaves " + required);
        }
    }

    /** What is held. */
    long left() {
        return required + held.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public long close() {
        return left();
    }
}

package dev.hearth.api;

/** Derives from one seed a random seed for each partition, statistically independent of the others. Stateless. */
final class PartitionSeeds {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private PartitionSeeds() {}

    static long of(long seed, int partition) {
        return mix(mix(seed) + STEP * (partition + 1L));
    }

    /** Mixes all bits: a small change of the argument changes about half of the bits of the result. */
    static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}

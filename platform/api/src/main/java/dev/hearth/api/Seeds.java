package dev.hearth.api;

/** Seeds of partitions that have nothing to do with one another. */
final class Seeds {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private Seeds() {}

    static long of(long seed, int partition) {
        return mix(mix(seed) + STEP * (partition + 1L));
    }

    /** Spreads what little differs over all bits. */
    static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}

package dev.hearth.api.resource;

import dev.hearth.api.HearthException;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules for the names and sizes in resource profiles. Stateless. */
final class ResourceNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([kmgtp]?)b?");
    private static final String UNITS = "kmgtp";
    private static final int MEBIBYTE_BITS = 20;
    private static final int UNIT_BITS = 10;
    private static final Set<String> BUILT_IN = Set.of(
            ExecutorResourceRequest.CORES, ExecutorResourceRequest.MEMORY, ExecutorResourceRequest.MEMORY_OVERHEAD);
    /** Names that Spark has for memory of kinds that no executor of Hearth has. */
    private static final Set<String> UNSUPPORTED = Set.of("offHeap", "pyspark.memory");

    private ResourceNames() {}

    static boolean isBuiltIn(String name) {
        return BUILT_IN.contains(name);
    }

    static void require(String name) {
        if (!isBuiltIn(name)) {
            requireCustom(name);
        }
    }

    static void requireCustom(String name) {
        if (UNSUPPORTED.contains(name)) {
            throw refused("resource " + name
                    + ": executors have no memory of this kind (expected: cores, memory, memoryOverhead, or the name of"
                    + " a resource such as gpu)");
        }
        if (isBuiltIn(name)
                || TaskResourceRequest.CPUS.equals(name)
                || !NAME.matcher(name).matches()) {
            throw refused("resource '" + name + "' (expected: a name such as gpu, of letters, digits, _ and -, other"
                    + " than cores, cpus, memory and memoryOverhead)");
        }
    }

    /** Reads a size such as {@code 2g}; a number without a unit is in MiB. Returns whole MiB, rounded down. */
    static long mebibytes(String resource, String text) {
        var matcher = SIZE.matcher(text.strip().toLowerCase(java.util.Locale.ROOT));
        if (!matcher.matches()) {
            throw refused("resource " + resource + " of executors: '" + text
                    + "' (expected: a size such as 2g or 512m; a number without a unit is in MiB)");
        }
        long number = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        int bits = unit.isEmpty() ? MEBIBYTE_BITS : UNIT_BITS * (UNITS.indexOf(unit) + 1);
        return bits < MEBIBYTE_BITS ? number >> (MEBIBYTE_BITS - bits) : number << (bits - MEBIBYTE_BITS);
    }

    static HearthException refused(String found) {
        return new HearthException("BAD_ARGUMENT", found);
    }
}

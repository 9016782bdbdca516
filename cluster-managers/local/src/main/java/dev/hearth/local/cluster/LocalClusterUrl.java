package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parsed master URL {@code local-cluster[N,CORES,MB]}: the number of executors, and the cores and memory of each
 * executor.
 */
record LocalClusterUrl(int executorsMax, int cores, int memoryMebibytes) {
    /** Minimum memory of an executor. The JVM of an executor does not start with less. */
    private static final int MEMORY_LEAST_MEBIBYTES = 32;

    private static final Pattern FORM =
            Pattern.compile("\\[\\s*([1-9]\\d{0,3})\\s*,\\s*([1-9]\\d{0,4})\\s*,\\s*([1-9]\\d{1,7})\\s*]");

    static LocalClusterUrl parse(MasterUrl master) {
        Matcher matcher = FORM.matcher(master.rest());
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) < MEMORY_LEAST_MEBIBYTES) {
            throw ErrorCode.BAD_ARGUMENT.failure("master " + master + ": not a local cluster (expected:"
                    + " local-cluster[N,CORES,MB] with N executors from 1 to 9999, CORES of each from 1 to 99999, and MB"
                    + " mebibytes of memory of each, from " + MEMORY_LEAST_MEBIBYTES + " to 99999999)");
        }
        return new LocalClusterUrl(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)));
    }
}

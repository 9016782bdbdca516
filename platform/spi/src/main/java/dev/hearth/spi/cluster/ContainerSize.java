package dev.hearth.spi.cluster;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Optional;

/**
 * Memory of one process of an application, in MiB: its heap, its off-heap memory, and the overhead of Java itself, such
 * as threads, code and buffers. A cluster manager that limits the memory of a process requests the {@link #total}.
 * <p>Off-heap memory is 0 as long as Hearth refuses {@code hearth.memory.offHeap.enabled}. Immutable.
 */
public record ContainerSize(int heapMebibytes, int offHeapMebibytes, int overheadMebibytes) {
    private static final String FACTOR = "0.1";
    private static final int OVERHEAD_LEAST = 384;
    private static final double FACTOR_MAX = 1000;

    public static final SettingKey<Integer> DRIVER_MEMORY = SettingKey.mebibytes(
            "hearth.driver.memory",
            1024,
            32,
            Integer.MAX_VALUE,
            "Memory of the driver. A driver in client mode without this setting gets Java's default, a quarter of the"
                    + " machine's memory.");
    public static final SettingKey<Integer> EXECUTOR_MEMORY =
            SettingKey.mebibytes("hearth.executor.memory", 1024, 1, Integer.MAX_VALUE, "Memory of each executor.");
    private static final SettingKey<Integer> DRIVER_OVERHEAD = overhead("driver");
    private static final SettingKey<String> DRIVER_FACTOR = factor("driver");
    private static final SettingKey<Integer> DRIVER_OVERHEAD_MIN = least("driver");
    private static final SettingKey<Integer> EXECUTOR_OVERHEAD = overhead("executor");
    private static final SettingKey<String> EXECUTOR_FACTOR = factor("executor");
    private static final SettingKey<Integer> EXECUTOR_OVERHEAD_MIN = least("executor");

    public static final List<SettingKey<?>> KEYS = List.of(
            DRIVER_OVERHEAD,
            DRIVER_FACTOR,
            DRIVER_OVERHEAD_MIN,
            EXECUTOR_OVERHEAD,
            EXECUTOR_FACTOR,
            EXECUTOR_OVERHEAD_MIN);

    public ContainerSize {
        if (heapMebibytes < 1 || offHeapMebibytes < 0 || overheadMebibytes < 0) {
            throw new IllegalArgumentException("container size: " + heapMebibytes + " MiB of heap, " + offHeapMebibytes
                    + " off-heap, " + overheadMebibytes + " overhead (expected: a heap, and nothing negative)");
        }
    }

    /** Reads the size of an executor; {@code in} records the problems. */
    public static ContainerSize ofExecutor(SettingsReader in) {
        return read(in, EXECUTOR_MEMORY, EXECUTOR_OVERHEAD, EXECUTOR_FACTOR, EXECUTOR_OVERHEAD_MIN);
    }

    /** Reads the size of a driver that a cluster manager starts; {@code in} records the problems. */
    public static ContainerSize ofDriver(SettingsReader in) {
        return read(in, DRIVER_MEMORY, DRIVER_OVERHEAD, DRIVER_FACTOR, DRIVER_OVERHEAD_MIN);
    }

    private static ContainerSize read(
            SettingsReader in,
            SettingKey<Integer> memory,
            SettingKey<Integer> overhead,
            SettingKey<String> factor,
            SettingKey<Integer> least) {
        int heap = in.read(memory);
        int proportional = (int) (heap * Double.parseDouble(in.read(factor))); // rounded down, as Spark does
        int computed = Math.max(proportional, in.read(least));
        Optional<Integer> given = in.find(overhead);
        return new ContainerSize(heap, 0, given.orElse(computed));
    }

    /** Memory of the whole process, in MiB. */
    public long total() {
        return (long) heapMebibytes + offHeapMebibytes + overheadMebibytes;
    }

    private static SettingKey<Integer> overhead(String process) {
        return SettingKey.mebibytes(
                        "hearth." + process + ".memoryOverhead",
                        OVERHEAD_LEAST,
                        0,
                        Integer.MAX_VALUE,
                        "Memory of " + article(process) + " beyond its heap, on clusters that limit the memory of a"
                                + " process. Standalone clusters count the heap alone, as in Spark.")
                .withoutDefault("hearth." + process + ".memoryOverheadFactor of the heap, at least hearth." + process
                        + ".minMemoryOverhead");
    }

    private static SettingKey<String> factor(String process) {
        return SettingKey.number(
                        "hearth." + process + ".memoryOverheadFactor",
                        FACTOR,
                        "Memory overhead of " + article(process) + " as a fraction of its heap, unless hearth."
                                + process + ".memoryOverhead is set.")
                .obeying("a number above 0, at most 1000", ContainerSize::isFactor);
    }

    private static SettingKey<Integer> least(String process) {
        return SettingKey.mebibytes(
                "hearth." + process + ".minMemoryOverhead",
                OVERHEAD_LEAST,
                0,
                Integer.MAX_VALUE,
                "Least memory overhead of " + article(process) + ", unless hearth." + process
                        + ".memoryOverhead is set.");
    }

    private static String article(String process) {
        return process.equals("executor") ? "an executor" : "a driver that runs on the cluster";
    }

    private static boolean isFactor(String text) {
        double factor = Double.parseDouble(text); // the setting key itself rejects a text that is not a number
        return factor > 0 && factor <= FACTOR_MAX;
    }
}

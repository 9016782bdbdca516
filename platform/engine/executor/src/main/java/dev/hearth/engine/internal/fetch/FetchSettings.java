package dev.hearth.engine.internal.fetch;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings for fetches from other executors: limits, retries, and whether files on the same machine are read directly.
 * Read from {@code hearth.reducer.*} and {@code hearth.shuffle.*}.
 */
public record FetchSettings(
        long bytesInFlight,
        int requestsInFlight,
        int requestsPerAddress,
        long bytesInMemory,
        boolean readsHostDisks,
        int retries,
        Duration retryWait) {
    private static final long MEBIBYTE = 1024 * 1024;

    private static final SettingKey<Integer> BYTES_IN_FLIGHT = SettingKey.mebibytes(
            "hearth.reducer.maxSizeInFlight",
            48,
            1,
            65_536,
            "How much of other executors' map outputs a task prefetches at most.");
    private static final SettingKey<Integer> REQUESTS_IN_FLIGHT = SettingKey.integer(
            "hearth.reducer.maxReqsInFlight",
            1024,
            1,
            1_000_000,
            "How many streams from other executors a task runs at once; one stream carries many small segments.");
    private static final SettingKey<Integer> REQUESTS_PER_ADDRESS = SettingKey.integer(
            "hearth.reducer.maxBlocksInFlightPerAddress",
            256,
            1,
            1_000_000,
            "How many segments a task fetches at once from one executor.");
    private static final SettingKey<Integer> BYTES_IN_MEMORY = SettingKey.mebibytes(
            "hearth.network.maxRemoteBlockSizeFetchToMem",
            200,
            1,
            1024,
            "Size above which a segment of another executor's map output is fetched to a local disk instead of"
                    + " memory.");
    private static final SettingKey<Boolean> HOST_DISKS = SettingKey.flag(
            "hearth.shuffle.readHostLocalDisk",
            true,
            "Whether executors on one machine read one another's shuffle files from its disks.");
    private static final SettingKey<Integer> RETRIES = SettingKey.integer(
            "hearth.shuffle.io.maxRetries",
            3,
            0,
            1_000,
            "How often a task retries a fetch from an executor whose connection fails.");
    private static final SettingKey<Duration> RETRY_WAIT = SettingKey.duration(
            "hearth.shuffle.io.retryWait",
            Duration.ofSeconds(5),
            Duration.ZERO,
            "How long a task waits before each retry of a fetch.");

    public static final List<SettingKey<?>> KEYS = List.of(
            BYTES_IN_FLIGHT,
            REQUESTS_IN_FLIGHT,
            REQUESTS_PER_ADDRESS,
            BYTES_IN_MEMORY,
            HOST_DISKS,
            RETRIES,
            RETRY_WAIT);

    static FetchSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        FetchSettings read = new FetchSettings(
                in.read(BYTES_IN_FLIGHT) * MEBIBYTE,
                in.read(REQUESTS_IN_FLIGHT),
                in.read(REQUESTS_PER_ADDRESS),
                in.read(BYTES_IN_MEMORY) * MEBIBYTE,
                in.read(HOST_DISKS),
                in.read(RETRIES),
                in.read(RETRY_WAIT));
        in.finish();
        return read;
    }
}

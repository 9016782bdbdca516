package dev.hearth.engine.internal.fetch;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * How tasks read what other executors hold: how much each has under way, what is read from disks of the same machine, and how
 * often a lost connection is tried again. Read from {@code hearth.reducer.*} and {@code hearth.shuffle.*}.
 */
record FetchSettings(
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
            "How much of what other executors hold a task has sent to it ahead of what it reads.");
    private static final SettingKey<Integer> REQUESTS_IN_FLIGHT = SettingKey.integer(
            "hearth.reducer.maxReqsInFlight",
            1024,
            1,
            1_000_000,
            "How many streams from other executors a task has under way at once; one brings many small parts.");
    private static final SettingKey<Integer> REQUESTS_PER_ADDRESS = SettingKey.integer(
            "hearth.reducer.maxBlocksInFlightPerAddress",
            256,
            1,
            1_000_000,
            "How many parts of blocks a task has sent to it at once from one executor.");
    private static final SettingKey<Integer> BYTES_IN_MEMORY = SettingKey.mebibytes(
            "hearth.network.maxRemoteBlockSizeFetchToMem",
            200,
            1,
            1024,
            "A part of another executor's block that is larger is read by way of a local disk.");
    private static final SettingKey<Boolean> HOST_DISKS = SettingKey.flag(
            "hearth.shuffle.readHostLocalDisk",
            true,
            "Whether executors on one machine read one another's shuffle files from its disks.");
    private static final SettingKey<Integer> RETRIES = SettingKey.integer(
            "hearth.shuffle.io.maxRetries",
            3,
            0,
            1_000,
            "How often a task tries again to reach an executor that holds what it reads.");
    private static final SettingKey<Duration> RETRY_WAIT = SettingKey.duration(
            "hearth.shuffle.io.retryWait",
            Duration.ofSeconds(5),
            Duration.ZERO,
            "How long a task waits before each of these.");

    static final List<SettingKey<?>> KEYS = List.of(
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

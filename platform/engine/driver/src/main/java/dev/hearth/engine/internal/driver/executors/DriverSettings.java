package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Settings of one application's driver. Read from {@code hearth.task.*}, {@code hearth.executor.*} and a few other
 * keys.
 */
public record DriverSettings(
        Duration heartbeatInterval,
        Duration heartbeatTimeout,
        Duration startTimeout,
        int executorsMax,
        OptionalInt executorsWanted,
        boolean followsLoad,
        ExecutorProfile profile,
        DecommissionSettings decommission,
        RegistrationSettings registration,
        OptionalInt parallelism,
        int broadcastChunkBytes,
        RpcSettings.Listen driverPort,
        Duration starvationTimeout,
        Optional<Duration> unplaceableTimeout) {
    private static final int MEBIBYTE = 1024 * 1024;

    private static final SettingKey<Duration> HEARTBEAT_INTERVAL = SettingKey.durationInMillis(
            "hearth.executor.heartbeatInterval",
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            "How often an executor sends a heartbeat to its driver.");
    static final SettingKey<Duration> START_TIMEOUT = SettingKey.duration(
            "hearth.executor.startTimeout",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            "How long an executor may take from its start to its registration, downloads of jars and bundles included,"
                    + " before it is replaced.");
    private static final SettingKey<Integer> EXECUTORS_MAX = SettingKey.integer(
            "hearth.executor.max", 10_000, 1, Integer.MAX_VALUE, "The most executors that one driver admits.");
    private static final SettingKey<Integer> PARALLELISM = SettingKey.integer(
                    "hearth.default.parallelism",
                    1,
                    1,
                    Integer.MAX_VALUE,
                    "The default number of partitions: of parallelized datasets, and, if it is set, of the results of"
                            + " operations by key.")
            .withoutDefault("the cores of all executors");
    private static final SettingKey<String> DRIVER_HOST = SettingKey.text(
                    "hearth.driver.host", "127.0.0.1", "The address at which executors reach the driver.")
            .obeying("a name or an address", text -> !text.isBlank());
    private static final SettingKey<Integer> DRIVER_PORT = SettingKey.port(
            "hearth.driver.port", 0, "The port at which executors reach the driver; 0 takes any free one.");
    private static final SettingKey<String> DRIVER_BIND_ADDRESS = SettingKey.text(
                    "hearth.driver.bindAddress",
                    "",
                    "The local address that the driver listens on, if it differs from hearth.driver.host.")
            .withoutDefault("hearth.rpc.bindAddress, else hearth.driver.host");
    private static final SettingKey<Integer> BROADCAST_BLOCK_SIZE = SettingKey.mebibytes(
            "hearth.broadcast.blockSize",
            4,
            1,
            1024,
            "The size of the chunks in which executors fetch a broadcast value.");
    private static final SettingKey<Duration> STARVATION_TIMEOUT = SettingKey.durationInMillis(
            "hearth.starvation.timeout",
            Duration.ofSeconds(15),
            Duration.ofMillis(100),
            "How often the driver checks whether tasks wait and none runs; it warns after two such checks in a row.");
    private static final SettingKey<Duration> UNPLACEABLE_TIMEOUT = SettingKey.duration(
                    "hearth.scheduler.unplaceableTimeout",
                    Duration.ofMinutes(2),
                    Duration.ofMillis(100),
                    "How long an application without executors waits for a larger machine before it fails, if no machine"
                            + " of its cluster could ever hold one of its executors.")
            .withoutDefault("no end: it waits");
    public static final List<SettingKey<?>> KEYS = List.of(
            SchedulerSettings.TASK_MAX_FAILURES,
            HEARTBEAT_INTERVAL,
            RpcTimes.NETWORK_TIMEOUT,
            START_TIMEOUT,
            EXECUTORS_MAX,
            ApplicationSettings.FOLLOWS_LOAD,
            DecommissionSettings.ENABLED,
            DecommissionSettings.FORCE_KILL_TIMEOUT,
            RegistrationSettings.RATIO,
            RegistrationSettings.WAIT_MAX,
            PARALLELISM,
            BROADCAST_BLOCK_SIZE,
            DRIVER_HOST,
            DRIVER_PORT,
            DRIVER_BIND_ADDRESS,
            RpcSettings.PORT_RETRIES,
            STARVATION_TIMEOUT,
            UNPLACEABLE_TIMEOUT);

    public static DriverSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Duration interval = in.read(HEARTBEAT_INTERVAL);
        Duration timeout = in.read(RpcTimes.NETWORK_TIMEOUT);
        Duration floor = interval.multipliedBy(3);
        in.expect(
                timeout.compareTo(floor) >= 0,
                RpcTimes.NETWORK_TIMEOUT,
                "at least 3 x " + HEARTBEAT_INTERVAL + " = " + floor.toMillis() + "ms");
        Duration start = in.read(START_TIMEOUT);
        int max = in.read(EXECUTORS_MAX);
        OptionalInt instances = optional(in.find(ApplicationSettings.EXECUTOR_INSTANCES));
        boolean followsLoad = in.read(ApplicationSettings.FOLLOWS_LOAD);
        ApplicationSettings.expectExecutors(in);
        ExecutorProfile profile = ExecutorProfile.read(in);
        DecommissionSettings decommission = DecommissionSettings.read(in);
        RegistrationSettings registration = RegistrationSettings.read(in);
        OptionalInt parallelism = optional(in.find(PARALLELISM));
        int chunkBytes = in.read(BROADCAST_BLOCK_SIZE) * MEBIBYTE;
        String host = in.read(DRIVER_HOST);
        RpcSettings.Listen listen = new RpcSettings.Listen(
                in.find(DRIVER_BIND_ADDRESS)
                        .or(() -> in.find(RpcSettings.BIND_ADDRESS))
                        .filter(address -> !address.isBlank())
                        .orElse(host),
                in.read(DRIVER_PORT),
                host,
                in.read(RpcSettings.PORT_RETRIES));
        Duration starvationTimeout = in.read(STARVATION_TIMEOUT);
        Optional<Duration> unplaceableTimeout = in.find(UNPLACEABLE_TIMEOUT);
        in.finish();
        return new DriverSettings(
                interval,
                timeout,
                start,
                max,
                instances.orElse(1) > 0 ? instances : OptionalInt.empty(),
                followsLoad,
                profile,
                decommission,
                registration,
                parallelism,
                chunkBytes,
                listen,
                starvationTimeout,
                unplaceableTimeout);
    }

    /** The demand without dynamic allocation: executors of the default profile alone. */
    public Map<ProfileId, Demand> demands() {
        return Map.of(
                ProfileId.DEFAULT, executorsWanted.isPresent() ? Demand.of(executorsWanted.getAsInt()) : Demand.ALL);
    }

    private static OptionalInt optional(Optional<Integer> value) {
        return value.map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }
}

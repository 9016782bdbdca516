package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What the driver of one application goes by. Read from {@code hearth.task.*}, {@code hearth.executor.*} and a few more. */
record DriverSettings(
        Duration heartbeatInterval,
        Duration heartbeatTimeout,
        Duration startTimeout,
        int executorsMax,
        OptionalInt executorsWanted,
        boolean followsLoad,
        DecommissionSettings decommission,
        OptionalInt parallelism,
        int broadcastChunkBytes,
        RpcSettings.Listen driverPort) {
    private static final int MEBIBYTE = 1024 * 1024;

    private static final SettingKey<Duration> HEARTBEAT_INTERVAL = SettingKey.durationInMillis(
            "hearth.executor.heartbeatInterval",
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            "How often an executor tells its driver that it is there.");
    static final SettingKey<Duration> START_TIMEOUT = SettingKey.duration(
            "hearth.executor.startTimeout",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            "How long an executor may take from its start until it registers with its driver, before another one is"
                    + " wanted in its place; its jars and bundles come within that time.");
    private static final SettingKey<Integer> EXECUTORS_MAX =
            SettingKey.integer("hearth.executor.max", 10_000, 1, Integer.MAX_VALUE, "Executors that one driver takes.");
    private static final SettingKey<Boolean> FOLLOWS_LOAD = SettingKey.flag(
            "hearth.dynamicAllocation.enabled",
            false,
            "Whether the number of executors follows the tasks there are to run.");
    private static final SettingKey<Integer> PARALLELISM = SettingKey.integer(
                    "hearth.default.parallelism",
                    1,
                    1,
                    Integer.MAX_VALUE,
                    "Partitions where none are named: of datasets that a program gives, and, where it is set, of what"
                            + " operations on keys give.")
            .withoutDefault("the cores there are");
    private static final SettingKey<String> DRIVER_HOST = SettingKey.text(
                    "hearth.driver.host", "127.0.0.1", "The address where the driver waits for executors.")
            .obeying("a name or an address", text -> !text.isBlank());
    private static final SettingKey<Integer> DRIVER_PORT = SettingKey.port(
            "hearth.driver.port", 0, "The port where the driver waits for executors; 0 takes any free one.");
    private static final SettingKey<String> DRIVER_BIND_ADDRESS = SettingKey.text(
                    "hearth.driver.bindAddress",
                    "",
                    "The address of this machine that the driver listens on, where it is another one than executors are told.")
            .withoutDefault("hearth.rpc.bindAddress, else hearth.driver.host");
    private static final SettingKey<Integer> BROADCAST_BLOCK_SIZE = SettingKey.mebibytes(
            "hearth.broadcast.blockSize",
            4,
            1,
            1024,
            "The pieces in which a broadcast value comes to executors on other machines.");
    static final List<SettingKey<?>> KEYS = List.of(
            SchedulerSettings.TASK_MAX_FAILURES,
            HEARTBEAT_INTERVAL,
            RpcTimes.NETWORK_TIMEOUT,
            START_TIMEOUT,
            EXECUTORS_MAX,
            FOLLOWS_LOAD,
            DecommissionSettings.ENABLED,
            DecommissionSettings.FORCE_KILL_TIMEOUT,
            PARALLELISM,
            BROADCAST_BLOCK_SIZE,
            DRIVER_HOST,
            DRIVER_PORT,
            DRIVER_BIND_ADDRESS,
            RpcSettings.PORT_RETRIES);

    static DriverSettings from(Settings settings) {
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
        boolean followsLoad = in.read(FOLLOWS_LOAD);
        DecommissionSettings decommission = DecommissionSettings.read(in);
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
        in.finish();
        return new DriverSettings(
                interval, timeout, start, max, instances, followsLoad, decommission, parallelism, chunkBytes, listen);
    }

    Demand demand() {
        return executorsWanted.isPresent() ? Demand.of(executorsWanted.getAsInt()) : Demand.ALL;
    }

    private static OptionalInt optional(Optional<Integer> given) {
        return given.map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }
}

package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/** How executors are requested and started. Immutable. */
public record YarnAllocationSettings(
        Duration heartbeat,
        Duration firstHeartbeat,
        int launchersMax,
        boolean limitsProcessors,
        List<String> excludedNodes,
        boolean excludesOnFailure,
        String nodeLabel,
        String constraint,
        boolean fillsContainer,
        String gpuType,
        String fpgaType,
        String metricsNamespace) {

    private static final SettingKey<Duration> HEARTBEAT = SettingKey.durationInMillis(
            YarnKeys.PREFIX + "scheduler.heartbeat.interval-ms",
            Duration.ofSeconds(3),
            Duration.ofMillis(200),
            "Time between two messages to the ResourceManager while nothing is requested; at most half the time after"
                    + " which it gives up the application.");
    private static final SettingKey<Duration> FIRST_HEARTBEAT = SettingKey.durationInMillis(
            YarnKeys.PREFIX + "scheduler.initial-allocation.interval",
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            "Time between two messages to the ResourceManager once executors are requested; it grows by half each time, up to"
                    + " hearth.yarn.scheduler.heartbeat.interval-ms.");
    private static final SettingKey<Boolean> LIMIT_PROCESSORS = SettingKey.flag(
            "hearth.executor.limitActiveProcessorCount.enabled",
            false,
            "Whether the Java of an executor on YARN sees as many processors as its container has cores.");
    private static final SettingKey<Integer> LAUNCHERS = SettingKey.integer(
            YarnKeys.PREFIX + "containerLauncherMaxThreads",
            25,
            1,
            500,
            "Number of containers that are started at the same time, at most.");
    private static final SettingKey<List<String>> EXCLUDED =
            YarnKeys.list("exclude.nodes", "Nodes on which no executor is requested.");
    private static final SettingKey<Boolean> EXCLUDES = SettingKey.flag(
            YarnKeys.PREFIX + "executor.launch.excludeOnFailure.enabled",
            false,
            "Whether nodes on which executors fail to start are excluded, as"
                    + " hearth.excludeOnFailure.application.maxFailedExecutorsPerNode says.");
    private static final SettingKey<String> NODE_LABEL =
            YarnKeys.text("executor.nodeLabelExpression", "Node label of executors.");
    public static final SettingKey<String> CONSTRAINT = YarnKeys.text(
            "executor.placementConstraint",
            "Placement constraint of executors, in YARN's own text form; their allocation tag is hearth-executor. The"
                    + " ResourceManager must handle constraints in its scheduler"
                    + " (yarn.resourcemanager.placement-constraints.handler=scheduler).");
    private static final SettingKey<Boolean> FILLS = SettingKey.flag(
            YarnKeys.PREFIX + "executor.fillContainer",
            false,
            "Whether the heap of an executor gets the memory that its container has beyond its request, because YARN"
                    + " rounds requests up; otherwise it is overhead.");
    public static final SettingKey<String> EXECUTOR_AMOUNTS = YarnKeys.amounts("executor", "each executor");
    private static final SettingKey<String> GPU = SettingKey.text(
            YarnKeys.PREFIX + "resourceGpuDeviceName", "yarn.io/gpu", "Resource type of YARN for the resource gpu.");
    private static final SettingKey<String> FPGA = SettingKey.text(
            YarnKeys.PREFIX + "resourceFpgaDeviceName", "yarn.io/fpga", "Resource type of YARN for the resource fpga.");
    private static final SettingKey<String> METRICS = SettingKey.text(
                    YarnKeys.PREFIX + "metrics.namespace", "", "First part of the names of the allocator's metrics.")
            .withoutDefault("the application's id");

    public static final List<SettingKey<?>> KEYS = List.of(
            HEARTBEAT,
            FIRST_HEARTBEAT,
            LIMIT_PROCESSORS,
            LAUNCHERS,
            EXCLUDED,
            EXCLUDES,
            NODE_LABEL,
            CONSTRAINT,
            FILLS,
            EXECUTOR_AMOUNTS,
            GPU,
            FPGA,
            METRICS);

    public YarnAllocationSettings {
        excludedNodes = List.copyOf(excludedNodes);
    }

    /** Reads the settings; {@code in} records the problems. */
    public static YarnAllocationSettings read(SettingsReader in) {
        return new YarnAllocationSettings(
                in.read(HEARTBEAT),
                in.read(FIRST_HEARTBEAT),
                in.read(LAUNCHERS),
                in.read(LIMIT_PROCESSORS),
                in.read(EXCLUDED),
                in.read(EXCLUDES),
                in.find(NODE_LABEL).orElse(""),
                in.find(CONSTRAINT).orElse(""),
                in.read(FILLS),
                in.read(GPU),
                in.read(FPGA),
                in.find(METRICS).orElse(""));
    }
}

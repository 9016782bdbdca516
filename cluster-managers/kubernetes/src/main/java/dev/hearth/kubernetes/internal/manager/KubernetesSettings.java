package dev.hearth.kubernetes.internal.manager;

import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.executors.AllocatorSettings;
import dev.hearth.kubernetes.internal.pod.DriverPodSettings;
import dev.hearth.kubernetes.internal.pod.PodSettings;
import dev.hearth.kubernetes.internal.submission.DriverLaunch;
import dev.hearth.kubernetes.internal.submission.SubmissionSettings;
import dev.hearth.kubernetes.internal.volumes.ClaimSettings;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.osgi.service.component.annotations.Component;

/** Settings of applications on Kubernetes. Stateless. */
@Component(service = SettingsGroup.class)
public final class KubernetesSettings implements SettingsGroup {
    static final String PREFIX = "hearth.kubernetes.";

    static final SettingKey<String> DRIVER_POD = DriverPodSettings.POD_NAME;
    /** Id of the application of a driver on the cluster; the submitter sets it. */
    static final SettingKey<String> APPLICATION = SettingKey.text(
                    DriverLaunch.APPLICATION,
                    "",
                    "The id of the application whose driver runs on the cluster; the submitter sets it.")
            .obeying("spark- and 32 hexadecimal digits", text -> text.isEmpty() || text.matches("spark-[0-9a-f]{32}"))
            .withoutDefault("a random one");
    /** Prefix of the names of an application whose driver is on the cluster; the submitter sets it. */
    static final SettingKey<String> NAME_PREFIX = SettingKey.text(
                    DriverLaunch.NAME_PREFIX,
                    "",
                    "Prefix of the names of the objects of an application whose driver runs on the cluster; the submitter"
                            + " sets it.")
            .obeying("the begin of a name", text -> text.isEmpty() || text.matches("[a-z]([-a-z0-9]{0,61}[a-z0-9])?"))
            .withoutDefault("the name of the application and random digits");

    private static final SettingKey<Integer> MAXIMUM = SettingKey.integer(
            PREFIX + "allocation.maximum",
            Integer.MAX_VALUE,
            1,
            Integer.MAX_VALUE,
            "Number of executor pods that an application creates at most; one more fails it.");
    private static final SettingKey<Integer> PENDING_MAX = SettingKey.integer(
            PREFIX + "allocation.maxPendingPods",
            Integer.MAX_VALUE,
            1,
            Integer.MAX_VALUE,
            "Number of executor pods that are requested and do not run yet, at most.");
    private static final SettingKey<Integer> PROFILE_PENDING_MAX = SettingKey.integer(
            PREFIX + "allocation.maxPendingPodsPerRp",
            Integer.MAX_VALUE,
            1,
            Integer.MAX_VALUE,
            "Number of executor pods of one resource profile that are requested and do not run yet, at most.");
    private static final SettingKey<Integer> PARALLEL = SettingKey.integer(
            PREFIX + "allocation.parallel", 64, 1, 1024, "Number of requests for pods that are under way, at most.");
    private static final SettingKey<Duration> UNSURE = SettingKey.durationInMillis(
            PREFIX + "allocation.executor.timeout",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            "How long a request for a pod is repeated whose answer is missing.");
    private static final SettingKey<Duration> RUN_TIMEOUT = SettingKey.duration(
            PREFIX + "executor.runTimeout",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            "Time from a pod's being on a node until its container runs; then it is replaced.");
    private static final SettingKey<Duration> IMAGE_TIMEOUT = SubmissionSettings.IMAGE_TIMEOUT;
    private static final SettingKey<Boolean> DELETE = SettingKey.flag(
            PREFIX + "executor.deleteOnTermination",
            true,
            "Whether pods of executors that have ended are deleted before the application ends.");
    private static final SettingKey<Duration> DELETE_GRACE = SettingKey.duration(
            PREFIX + "dynamicAllocation.deleteGracePeriod",
            Duration.ofSeconds(5),
            Duration.ZERO,
            "Time that the pod of a released executor has to end.");

    @Override
    public String owner() {
        return "kubernetes";
    }

    @Override
    public List<SettingKey<?>> keys() {
        List<SettingKey<?>> keys = new ArrayList<>(List.of(
                APPLICATION,
                NAME_PREFIX,
                MAXIMUM,
                PENDING_MAX,
                PROFILE_PENDING_MAX,
                PARALLEL,
                UNSURE,
                RUN_TIMEOUT,
                DELETE,
                DELETE_GRACE));
        keys.addAll(PodRuleSettings.KEYS);
        keys.addAll(FormerSettings.KEYS);
        keys.addAll(DriverPodSettings.KEYS);
        keys.addAll(SubmissionSettings.KEYS);
        keys.addAll(ClusterSettings.KEYS);
        keys.addAll(ClaimSettings.KEYS);
        keys.addAll(PodSettings.KEYS);
        return keys;
    }

    /** Reads the bounds and times of executors; {@code in} records the problems. */
    static AllocatorSettings allocation(SettingsReader in) {
        AllocatorSettings defaults = AllocatorSettings.DEFAULTS;
        boolean deletesPods = in.read(DELETE);
        Optional<Integer> failures = in.find(ApplicationSettings.EXECUTOR_FAILURES_MAX);
        return new AllocatorSettings(
                Math.min(in.read(PENDING_MAX), in.read(PROFILE_PENDING_MAX)), // executors are of one profile
                in.read(MAXIMUM),
                in.read(PARALLEL),
                defaults.idleTimeout(),
                in.read(RUN_TIMEOUT),
                in.read(IMAGE_TIMEOUT),
                in.read(UNSURE),
                in.read(DELETE_GRACE),
                deletesPods,
                failures.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                in.find(ApplicationSettings.EXECUTOR_FAILURES_INTERVAL),
                ClaimSettings.read(in, deletesPods),
                PodRuleSettings.read(in));
    }
}

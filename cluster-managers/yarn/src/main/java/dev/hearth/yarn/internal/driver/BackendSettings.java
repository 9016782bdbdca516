package dev.hearth.yarn.internal.driver;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.allocator.AllocatorRules;
import dev.hearth.yarn.internal.backend.YarnIdentity;
import dev.hearth.yarn.internal.hadoop.LineSettings;
import dev.hearth.yarn.internal.settings.AclSettings;
import dev.hearth.yarn.internal.settings.AmSettings;
import dev.hearth.yarn.internal.settings.HistorySettings;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.settings.QueueSettings;
import dev.hearth.yarn.internal.settings.ReportSettings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.settings.YarnAllocationSettings;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;

/** Settings of a driver's backend, by the parts that read them. Immutable. */
public record BackendSettings(
        AmSettings am,
        QueueSettings queue,
        YarnAllocationSettings allocation,
        StagingSettings staging,
        KerberosSettings kerberos,
        AclSettings acls,
        ReportSettings report,
        HistorySettings history,
        AllocatorRules.Failures failures,
        AllocatorRules.Exclusion exclusion,
        boolean followsLoad,
        boolean hasPages) {
    /** Time after which a ResourceManager gives up an application master that no one configured. */
    private static final Duration EXPIRY = Duration.ofMinutes(15);
    /** Longest time between two beats, whatever the configuration says: it may be that of another cluster. */
    private static final Duration EXPIRY_MAX = Duration.ofSeconds(60);

    /** Keys of the engine, whose exclusion of hosts uses the same bounds. */
    private static final SettingKey<Integer> FAILURES_PER_NODE = SettingKey.integer(
            "hearth.excludeOnFailure.application.maxFailedExecutorsPerNode",
            AllocatorRules.DEFAULTS.exclusion().failuresMax(),
            1,
            Integer.MAX_VALUE,
            "Containers that fail on a node before the next failure excludes it.");

    private static final SettingKey<Duration> EXCLUSION_TIMEOUT = SettingKey.durationInMillis(
            "hearth.excludeOnFailure.timeout",
            AllocatorRules.DEFAULTS.exclusion().timeout(),
            Duration.ofMillis(1),
            "How long a node is excluded.");

    private static final String EXPIRY_KEY = "yarn.am.liveness-monitor.expiry-interval-ms";
    private static final String WAIT_KEY = "yarn.resourcemanager.connect.max-wait.ms";
    private static final String KILL_WAIT_KEY = "yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill";
    private static final String HTTP_POLICY = "yarn.http.policy";
    private static final String CLUSTER_ID = "yarn.resourcemanager.cluster-id";
    private static final long WAIT = 15 * 60_000;
    private static final long KILL_WAIT = 15_000;

    /** Reads the settings; fails with {@code BAD_SETTING}. */
    public static BackendSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        YarnAllocationSettings allocation = YarnAllocationSettings.read(in);
        BackendSettings read = new BackendSettings(
                AmSettings.read(in),
                QueueSettings.read(in),
                allocation,
                StagingSettings.read(in),
                KerberosSettings.read(in),
                AclSettings.read(in),
                ReportSettings.read(in),
                HistorySettings.read(in),
                new AllocatorRules.Failures(
                        in.find(ApplicationSettings.EXECUTOR_FAILURES_MAX)
                                .map(OptionalInt::of)
                                .orElseGet(OptionalInt::empty),
                        in.find(ApplicationSettings.EXECUTOR_FAILURES_INTERVAL)),
                new AllocatorRules.Exclusion(
                        new LinkedHashSet<>(allocation.excludedNodes()),
                        allocation.excludesOnFailure(),
                        in.read(FAILURES_PER_NODE),
                        in.read(EXCLUSION_TIMEOUT)),
                in.read(ApplicationSettings.FOLLOWS_LOAD),
                in.read(MonitorSettings.UI_ENABLED));
        in.finish();
        return read;
    }

    /** Rules of the allocator at a cluster with {@code hadoop}. */
    public AllocatorRules rules(Configuration hadoop) {
        AllocatorRules rules = AllocatorRules.DEFAULTS
                .with(failures)
                .with(exclusion)
                .with(new AllocatorRules.Pace(allocation.firstHeartbeat(), beat(hadoop)))
                .on(reconnect(hadoop), Duration.ofMillis(hadoop.getLong(KILL_WAIT_KEY, KILL_WAIT)));
        return followsLoad ? rules.growingByHeadroom() : rules;
    }

    /** Settings of the line of {@code application}, in its {@code attempt}, at a cluster with {@code hadoop}. */
    public LineSettings line(Configuration hadoop, String application, Optional<Integer> attempt) {
        long wait = hadoop.getLong(WAIT_KEY, WAIT);
        Duration configured = wait < 0 ? Duration.ofDays(365) : Duration.ofMillis(wait);
        return new LineSettings(
                beat(hadoop),
                configured,
                allocation.launchersMax(),
                history.link(key -> Optional.ofNullable(hadoop.get(key)), application, attempt.map(String::valueOf)));
    }

    /** The tracking URL of an application without pages, whose line has {@code line}; empty if it is to have none. */
    public Optional<String> trackingWithoutPages(LineSettings line) {
        return Optional.of(line.history()).filter(url -> !url.isEmpty() && !hasPages && history.tracksWithoutPages());
    }

    /** Identity of the application {@code id} of {@code user} at a cluster with {@code hadoop}. */
    public YarnIdentity identity(ApplicationId id, String user, Configuration hadoop, boolean inCluster) {
        return new YarnIdentity(
                id,
                user,
                hadoop.get(CLUSTER_ID, ""),
                hadoop.get(HTTP_POLICY, "HTTP_ONLY").equals("HTTPS_ONLY") ? "https://" : "http://",
                allocation.metricsNamespace().isEmpty() ? id.value() : allocation.metricsNamespace(),
                inCluster);
    }

    private Duration beat(Configuration hadoop) {
        Duration half = min(expiry(hadoop), EXPIRY_MAX).dividedBy(2);
        return min(allocation.heartbeat(), half);
    }

    private Duration reconnect(Configuration hadoop) {
        return am.reconnectTimeout().orElse(min(expiry(hadoop), EXPIRY).multipliedBy(2));
    }

    private static Duration expiry(Configuration hadoop) {
        return Duration.ofMillis(hadoop.getLong(EXPIRY_KEY, EXPIRY.toMillis()));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

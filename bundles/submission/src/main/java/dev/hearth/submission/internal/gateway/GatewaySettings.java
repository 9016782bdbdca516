package dev.hearth.submission.internal.gateway;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Bounds of a process that submits applications for others. Read from {@code hearth.serve.*}. Immutable. */
record GatewaySettings(int requestsMax, int clustersMax, Duration idleMax) {
    private static final SettingKey<Integer> REQUESTS_MAX = SettingKey.integer(
            "hearth.serve.requestsMax",
            1_000,
            1,
            1_000_000,
            "Maximum number of requests about submissions in progress in one process, from REST and shells; a further one"
                    + " is refused.");
    private static final SettingKey<Integer> CLUSTERS_MAX = SettingKey.integer(
            "hearth.serve.clustersMax",
            64,
            1,
            10_000,
            "Maximum number of clusters to which a process keeps connections for submissions; a request for a further one"
                    + " is refused.");
    private static final SettingKey<Duration> IDLE_MAX = SettingKey.duration(
            "hearth.serve.idleTimeout",
            Duration.ofMinutes(1),
            Duration.ofMillis(100),
            "Time after which a process closes its connection to a cluster that no request has used.");

    static GatewaySettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        GatewaySettings read = new GatewaySettings(in.read(REQUESTS_MAX), in.read(CLUSTERS_MAX), in.read(IDLE_MAX));
        in.finish();
        return read;
    }

    /** Declares these settings, so that they can be checked and listed. */
    @Component(service = SettingsGroup.class)
    public static final class Group implements SettingsGroup {
        @Override
        public String owner() {
            return "submission gateway";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return List.of(REQUESTS_MAX, CLUSTERS_MAX, IDLE_MAX);
        }
    }
}

package dev.hearth.local.cluster;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.component.annotations.Component;

/**
 * Settings of an application on a local cluster: number, cores and memory of executors, work directory, and output
 * files. {@code resources} are what each executor requests. {@code failuresMax} executors may fail within {@code failuresWithin}, or in total if no time span is set.
 * {@code withheld} names environment variables that hold secrets of the application, which executors do not inherit.
 * Immutable.
 */
record LocalClusterSettings(
        int executorsMax,
        int cores,
        int memoryMebibytes,
        Map<String, ResourceRequest> resources,
        Path directory,
        OutputFiles outputs,
        int failuresMax,
        Optional<Duration> failuresWithin,
        Set<String> withheld) {
    private static final int FAILURES_LEAST = 3;
    private static final SettingKey<String> DIRECTORY = SettingKey.text(
                    "hearth.localCluster.dir", "", "The work directory of `local-cluster` executors, with their logs.")
            .obeying("a path", text -> !text.isBlank())
            .withoutDefault("`.hearth/work` in the user's home");

    /**
     * Combines a master URL with settings and the profile of executors. Settings may lower the numbers in the URL; a
     * setting that would raise the cores or the memory is rejected.
     */
    static LocalClusterSettings from(LocalClusterUrl url, Settings settings, ExecutorProfile profile) {
        SettingsReader in = new SettingsReader(settings);
        int memory = profile.memory().heapMebibytes();
        int cores = profile.cores().orElse(url.cores());
        int coresMax = in.find(ApplicationSettings.CORES_MAX).orElse(Integer.MAX_VALUE);
        in.expect(
                memory <= url.memoryMebibytes(),
                ApplicationSettings.EXECUTOR_MEMORY,
                "at most " + url.memoryMebibytes() + "m, the memory of each executor in the master URL");
        in.expect(
                cores <= url.cores(),
                ApplicationSettings.EXECUTOR_CORES,
                "at most " + url.cores() + ", the cores of each executor in the master URL");
        in.expect(
                coresMax >= cores, ApplicationSettings.CORES_MAX, "at least " + cores + ", the cores of one executor");
        int executors = Math.min(url.executorsMax(), Math.max(1, coresMax / cores));
        int failures =
                in.find(ApplicationSettings.EXECUTOR_FAILURES_MAX).orElse(Math.max(2 * executors, FAILURES_LEAST));
        Optional<Duration> within = in.find(ApplicationSettings.EXECUTOR_FAILURES_INTERVAL);
        Path directory = in.find(DIRECTORY)
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".hearth", "work"))
                .toAbsolutePath();
        in.finish();
        return new LocalClusterSettings(
                executors,
                cores,
                memory,
                profile.resources(),
                directory,
                OutputFiles.from(settings),
                failures,
                within,
                settings.secretVariables());
    }

    /** Whether each executor requests addresses of resources, of which the executors have different ones. */
    boolean hasResources() {
        return !resources.isEmpty();
    }

    /** Declares the settings that only local clusters read, so that they can be checked and listed. */
    @Component(service = SettingsGroup.class)
    public static final class Group implements SettingsGroup {
        @Override
        public String owner() {
            return "local";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return List.of(DIRECTORY);
        }
    }
}

package dev.hearth.spi.cluster;

import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Needs of each executor of one kind: cores, memory, resources such as GPUs, and the options, native libraries and
 * environment with which its Java starts. Without {@code cores} an executor gets what its cluster gives: all cores of a
 * worker, for example. The ids of an executor are not filled into {@code options} yet. Immutable.
 */
public record ExecutorProfile(
        ProfileId id,
        OptionalInt cores,
        ContainerSize memory,
        Map<String, ResourceRequest> resources,
        LaunchOptions options) {
    public static final SettingKey<Integer> CORES = SettingKey.integer(
                    "hearth.executor.cores", 1, 1, Integer.MAX_VALUE, "Cores of each executor.")
            .withoutDefault("all that a worker has");

    public ExecutorProfile {
        resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
    }

    /** The default profile, which the settings {@code hearth.executor.*} define. Fails with {@code BAD_SETTING}. */
    public static ExecutorProfile of(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ExecutorProfile profile = read(in);
        in.finish();
        return profile;
    }

    /** As {@link #of}; {@code in} records the problems. */
    public static ExecutorProfile read(SettingsReader in) {
        Optional<Integer> cores = in.find(CORES);
        return new ExecutorProfile(
                ProfileId.DEFAULT,
                cores.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                ContainerSize.ofExecutor(in),
                ResourceRequest.ofExecutors(in),
                LaunchOptions.ofExecutors(in));
    }

    /** Environment variables of the executors. */
    public Map<String, String> environment() {
        return options.environment();
    }
}

package dev.hearth.submission.api;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Master URLs of Spark 1 that name a deploy mode besides the cluster. Pure. */
final class FormerMasters {
    private static final String MASTER = ApplicationSettings.MASTER.name();
    private static final String MODE = ApplicationSettings.DEPLOY_MODE.name();
    private static final String CLIENT = "client";
    private static final String CLUSTER = "cluster";
    private static final Map<String, String> MODES = Map.of("yarn-client", CLIENT, "yarn-cluster", CLUSTER);

    private FormerMasters() {}

    /**
     * The settings with {@code yarn} and a deploy mode in place of such a master, with a line for {@code warning}. Fails
     * with {@code BAD_ARGUMENT}, in the words of Spark, if the settings name the other mode.
     */
    static Settings resolved(Settings settings, Consumer<String> warning) {
        String master = settings.find(MASTER).orElse("").strip();
        String mode = MODES.get(master);
        if (mode == null) {
            return settings;
        }
        Optional<String> given = settings.find(MODE).map(String::strip).filter(text -> !text.isEmpty());
        if (given.isPresent() && !given.get().equalsIgnoreCase(mode)) {
            String other = mode.equals(CLIENT) ? "Cluster" : "Client";
            throw ErrorCode.BAD_ARGUMENT.failure(
                    other + " deploy mode is not compatible with master \"" + master + "\"");
        }
        warning.accept("Master " + master
                + " is deprecated since 2.0. Please use master \"yarn\" with specified deploy mode instead.");
        String origin = settings.origin(MASTER).orElse("settings");
        return settings.with(origin, MASTER, "yarn").with(origin, MODE, mode);
    }
}

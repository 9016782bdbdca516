package dev.hearth.engine.internal.driver.session;

import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log entries that a driver writes about its application if the settings ask for them: its settings at the start ({@code
 * configuration}) and the lineage of each job ({@code lineage}). Immutable.
 */
record ApplicationLogging(boolean configuration, boolean lineage) {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationLogging.class);
    private static final SettingKey<Boolean> CONFIGURATION = SettingKey.flag(
            "hearth.logConf", false, "Whether a driver logs its settings when it starts; secrets are hidden.");
    private static final SettingKey<Boolean> LINEAGE = SettingKey.flag(
            "hearth.logLineage", false, "Whether a driver logs the lineage of the dataset of each job.");
    static final List<SettingKey<?>> KEYS = List.of(CONFIGURATION, LINEAGE);

    static ApplicationLogging from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ApplicationLogging logging = new ApplicationLogging(in.read(CONFIGURATION), in.read(LINEAGE));
        in.finish();
        return logging;
    }

    /** Logs the settings of the application {@code name}, one in a line, sorted by their keys. */
    void opened(String name, Map<String, String> settings) {
        if (configuration) {
            new TreeMap<>(settings)
                    .forEach((key, value) ->
                            LOG.info("application {}: setting {}={}", name, key, Secrets.shown(key, value)));
        }
    }

    /** Logs the lineage of the dataset of the job with the number {@code job}, one dataset in a line. */
    void jobStarts(int job, Supplier<String> text) {
        if (lineage) {
            text.get().lines().forEach(line -> LOG.info("job {}: {}", job, line));
        }
    }
}

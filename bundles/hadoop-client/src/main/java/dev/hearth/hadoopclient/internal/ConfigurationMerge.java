package dev.hearth.hadoopclient.internal;

import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Merges configurations of Hadoop. In ascending order of rank: Hadoop's defaults, site files, environment variables of
 * AWS, Hearth's defaults for unset keys, settings of the application. Stateless; called under Hadoop's class loader.
 */
final class ConfigurationMerge {
    private static final String BUFFER_KEY = "io.file.buffer.size";
    private static final String COMMITTER_VERSION = "mapreduce.fileoutputcommitter.algorithm.version";
    private static final String DOWNGRADE_SYNC = "fs.s3a.downgrade.syncable.exceptions";
    private static final String GROUP_MAPPING = "hadoop.security.group.mapping";
    private static final String NO_GROUPS = "org.apache.hadoop.security.NullGroupsMapping";
    private static final String DEFAULT_ORIGIN = "default of Hearth";
    private static final String VARIABLE = "environment variable ";

    /** Variables of AWS, and the key of Hadoop that each of them sets if the first two are there. */
    private static final Map<String, String> AWS = Map.of(
            "AWS_ACCESS_KEY_ID", "fs.s3a.access.key",
            "AWS_SECRET_ACCESS_KEY", "fs.s3a.secret.key",
            "AWS_SESSION_TOKEN", "fs.s3a.session.token",
            "AWS_ENDPOINT_URL", "fs.s3a.endpoint");

    private static final List<String> AWS_NEEDED = List.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");

    private final Map<String, String> environment;

    ConfigurationMerge(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** A configuration whose classes and resources come from {@code classes}. */
    Configuration merge(Settings settings, SiteClassLoader classes) {
        Configuration merged = new Configuration();
        merged.setClassLoader(classes);
        merged.reloadConfiguration(); // from the site files of this loader
        if (AWS_NEEDED.stream().allMatch(environment::containsKey)) {
            AWS.forEach((variable, key) -> {
                String value = environment.get(variable);
                if (value != null) {
                    merged.set(key, value, VARIABLE + variable);
                }
            });
        }
        setDefaults(merged);
        setBuffer(merged, settings);
        settings.values().forEach((key, value) -> {
            if (key.startsWith(HadoopSettings.PREFIX) && key.length() > HadoopSettings.PREFIX.length()) {
                merged.set(
                        key.substring(HadoopSettings.PREFIX.length()), value, key + " from " + originOf(settings, key));
            }
        });
        return merged;
    }

    private static void setDefaults(Configuration merged) {
        // as in Spark: the committer that renames when the job ends leaves nothing visible of a failed job
        setIfDefault(merged, COMMITTER_VERSION, "1");
        // as in Spark: logs on s3a are written although a sync there guarantees nothing
        setIfDefault(merged, DOWNGRADE_SYNC, "true");
        // the default starts processes, which containers may forbid; clients need no groups
        setIfDefault(merged, GROUP_MAPPING, NO_GROUPS);
    }

    private static void setIfDefault(Configuration merged, String key, String value) {
        String[] sources = merged.getPropertySources(key);
        if (sources == null || sources.length == 0 || sources[sources.length - 1].endsWith("-default.xml")) {
            merged.set(key, value, DEFAULT_ORIGIN);
        }
    }

    private static void setBuffer(Configuration merged, Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        int bytes = in.read(HadoopSettings.BUFFER_SIZE);
        in.finish();
        String key = HadoopSettings.BUFFER_SIZE.name();
        Optional<String> origin = settings.origin(key);
        if (origin.isPresent()) {
            merged.set(BUFFER_KEY, String.valueOf(bytes), key + " from " + originOf(settings, key));
        } else {
            setIfDefault(merged, BUFFER_KEY, String.valueOf(bytes));
        }
    }

    private static String originOf(Settings settings, String key) {
        return settings.origin(key).orElse("unknown");
    }

    /** Origin of {@code key}; files of {@code sites} are shown with their directories. */
    static Optional<String> origin(Configuration configuration, String key, SiteFiles sites) {
        String[] sources = configuration.getPropertySources(key);
        if (sources == null || sources.length == 0) {
            return Optional.empty();
        }
        String last = sources[sources.length - 1];
        return Optional.of(sites.find(last).map(Object::toString).orElse(last));
    }
}

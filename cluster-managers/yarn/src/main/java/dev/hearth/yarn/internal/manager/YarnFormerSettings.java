package dev.hearth.yarn.internal.manager;

import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.settings.YarnKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings of Spark for YARN that have another name now. Where both names are set, the present one counts. Pure. */
public final class YarnFormerSettings {
    private static final String PREFIX = YarnKeys.PREFIX;
    private static final String SERVICES = "hearth.security.credentials.";
    private static final String ENABLED = ".enabled";
    /** Begins of the former names of switches for the tokens of a service. */
    private static final List<String> SERVICES_BEFORE =
            List.of(PREFIX + "security.tokens.", PREFIX + "security.credentials.");

    private static final Map<String, String> SUCCESSORS = successors();

    private YarnFormerSettings() {}

    /** The present name of {@code key}; empty if it is no former one. */
    static Optional<String> successor(String key) {
        return Optional.ofNullable(SUCCESSORS.get(key))
                .or(() -> SERVICES_BEFORE.stream()
                        .filter(begin -> key.startsWith(begin) && key.endsWith(ENABLED))
                        .map(begin -> SERVICES + key.substring(begin.length()))
                        .findFirst());
    }

    /** The settings by their present names. */
    public static Settings resolved(Settings settings) {
        Settings resolved = settings;
        for (String key : settings.keys()) {
            Optional<String> successor = successor(key);
            if (successor.isPresent()) {
                if (settings.find(successor.get()).isEmpty()) {
                    String origin = settings.origin(key).orElse("settings") + ", as " + key;
                    resolved = resolved.with(
                            origin, successor.get(), settings.find(key).orElse(""));
                }
                resolved = resolved.without(key);
            }
        }
        return resolved;
    }

    /** A line for each former name in use, which names the present one. */
    static List<String> hints(Settings settings) {
        List<String> hints = new ArrayList<>();
        for (String key : settings.keys()) {
            successor(key)
                    .ifPresent(successor ->
                            hints.add(key + ": a former name (expected: " + successor + "); its value is used"));
        }
        return hints;
    }

    private static Map<String, String> successors() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(PREFIX + "jar", PREFIX + "jars");
        names.put(PREFIX + "driver.memoryOverhead", "hearth.driver.memoryOverhead");
        names.put(PREFIX + "executor.memoryOverhead", "hearth.executor.memoryOverhead");
        names.put(PREFIX + "keytab", "hearth.kerberos.keytab");
        names.put(PREFIX + "principal", "hearth.kerberos.principal");
        names.put(PREFIX + "kerberos.relogin.period", "hearth.kerberos.relogin.period");
        names.put(PREFIX + "access.namenodes", "hearth.kerberos.access.hadoopFileSystems");
        names.put(PREFIX + "access.hadoopFileSystems", "hearth.kerberos.access.hadoopFileSystems");
        names.put(PREFIX + "max.executor.failures", "hearth.executor.maxNumFailures");
        names.put(PREFIX + "max.worker.failures", "hearth.executor.maxNumFailures");
        names.put(PREFIX + "executor.failuresValidityInterval", "hearth.executor.failuresValidityInterval");
        names.put(
                PREFIX + "blacklist.executor.launch.blacklisting.enabled",
                PREFIX + "executor.launch.excludeOnFailure.enabled");
        return names;
    }
}

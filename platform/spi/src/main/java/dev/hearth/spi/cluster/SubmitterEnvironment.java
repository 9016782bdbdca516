package dev.hearth.spi.cluster;

import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Environment variables of a submitter that its driver gets on the cluster: those whose names begin with {@code SPARK_}
 * or {@code HEARTH_}. Variables that describe the submitter's machine, that set settings, or that contain secrets stay
 * where they are. Stateless.
 */
public final class SubmitterEnvironment {
    private static final String SPARK = "SPARK_";
    private static final String HEARTH = "HEARTH_";
    /** Ends of the names of variables that describe a machine or an installation. */
    private static final Set<String> OF_MACHINES = Set.of(
            "HOME",
            "CONF_DIR",
            "ENV_LOADED",
            "LOCAL_IP",
            "LOCAL_HOSTNAME",
            "LOCAL_DIRS",
            "PUBLIC_DNS",
            "LOG_DIR",
            "PID_DIR",
            "TMPDIR",
            "ORDERS",
            "JAVA_OPTS",
            "DAEMON_MEMORY",
            "CDS",
            "CDS_ARCHIVE",
            "CHILD",
            "TRACE_START");
    /** Begin of the names of variables with which a launcher hides those of a child from other programs. */
    private static final String HIDDEN = HEARTH + "GIVEN_";
    /** Minimum length of a secret that is searched for in values: a shorter one may occur by chance. */
    private static final int SOUGHT_CHARACTERS_MIN = 8;

    private SubmitterEnvironment() {}

    /** Selects the variables of {@code environment} that a driver gets; {@code settings} are those of the submission. */
    public static Map<String, String> carried(Map<String, String> environment, Settings settings) {
        Set<String> secret = settings.secretVariables();
        Collection<String> secrets = settings.secrets().values();
        Map<String, String> carried = new TreeMap<>();
        withoutMachine(environment).forEach((name, value) -> {
            boolean isSetting = SettingsSources.variables().containsKey(name);
            boolean isSecret = secret.contains(name)
                    || secrets.stream()
                            .anyMatch(known -> known.length() >= SOUGHT_CHARACTERS_MIN && value.contains(known));
            if ((name.startsWith(SPARK) || name.startsWith(HEARTH)) && !isSetting && !isSecret) {
                carried.put(name, value);
            }
        });
        return carried;
    }

    /** The variables of {@code environment} without those that describe a machine or an installation of Hearth. */
    public static Map<String, String> withoutMachine(Map<String, String> environment) {
        Map<String, String> rest = new TreeMap<>(environment);
        rest.keySet().removeIf(name -> name.startsWith(HIDDEN));
        for (String end : OF_MACHINES) {
            rest.remove(SPARK + end);
            rest.remove(HEARTH + end);
        }
        return rest;
    }
}

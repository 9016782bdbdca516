package dev.hearth.spi.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Environment variables that set a setting; of all sources of settings, they have the lowest rank. A {@code HEARTH_}
 * variable overrides the {@code SPARK_} variable for the same key.
 */
enum EnvironmentVariables {
    MASTER("hearth.master", "MASTER"),
    DEPLOY_MODE("hearth.submit.deployMode", ""),
    MEM("hearth.driver.memory", "SPARK_MEM"),
    DRIVER_MEMORY("hearth.driver.memory", "SPARK_DRIVER_MEMORY"),
    DRIVER_HOST("hearth.driver.host", "SPARK_LOCAL_IP"),
    EXECUTOR_MEMORY("hearth.executor.memory", "SPARK_EXECUTOR_MEMORY"),
    EXECUTOR_CORES("hearth.executor.cores", "SPARK_EXECUTOR_CORES"),
    LOCAL_DIRS("hearth.local.dir", "SPARK_LOCAL_DIRS"),
    MASTER_HOST("hearth.master.host", "SPARK_MASTER_HOST"),
    MASTER_PORT("hearth.master.port", "SPARK_MASTER_PORT"),
    WORKER_HOST("hearth.worker.host", ""),
    WORKER_PORT("hearth.worker.port", "SPARK_WORKER_PORT"),
    WORKER_CORES("hearth.worker.cores", "SPARK_WORKER_CORES"),
    WORKER_MEMORY("hearth.worker.memory", "SPARK_WORKER_MEMORY"),
    WORKER_DIR("hearth.worker.dir", "SPARK_WORKER_DIR"),
    DEFAULT_ARTIFACT_REPOSITORY("hearth.jars.defaultRepository", "DEFAULT_ARTIFACT_REPOSITORY"),
    LAUNCHER_PORT("hearth.launcher.port", "_SPARK_LAUNCHER_PORT"),
    LAUNCHER_SECRET("hearth.launcher.secret", "_SPARK_LAUNCHER_SECRET"),
    AUTHENTICATE_SECRET("hearth.authenticate.secret", "_SPARK_AUTH_SECRET"),
    REST_TOKEN("hearth.rest.token", "");

    private final String key;
    private final String sparkName;

    /** {@code sparkName} is the name of the variable in Spark that sets the same setting; empty if Spark has none. */
    EnvironmentVariables(String key, String sparkName) {
        this.key = key;
        this.sparkName = sparkName;
    }

    String key() {
        return key;
    }

    String hearthName() {
        return "HEARTH_" + name();
    }

    String sparkName() {
        return sparkName;
    }

    /** The settings that are set by the variables of {@code environment}, which maps names to values. */
    static List<SourceEntry> in(Map<String, String> environment) {
        List<SourceEntry> entries = new ArrayList<>();
        for (EnvironmentVariables variable : values()) {
            for (String name : List.of(variable.sparkName, variable.hearthName())) {
                String value = environment.getOrDefault(name, "").strip();
                boolean given = value.isEmpty()
                        ? environment.containsKey(name)
                                && Secrets.isSecret(variable.key) // empty: refused by its reader
                        : !isServiceLink(name, value);
                if (given) {
                    entries.add(new SourceEntry(
                            variable.key, ValueTemplate.literal(value), SourceEntry.ENVIRONMENT + name));
                }
            }
        }
        return entries;
    }

    /** Names of the environment variables that set settings with secret values. */
    static Set<String> ofSecrets() {
        Set<String> names = new TreeSet<>();
        for (EnvironmentVariables variable : values()) {
            if (Secrets.isSecret(variable.key)) {
                names.addAll(List.of(variable.hearthName(), variable.sparkName));
            }
        }
        names.remove("");
        return names;
    }

    /** The variable that sets {@code key}; empty if there is none. */
    static Optional<EnvironmentVariables> of(String key) {
        return Arrays.stream(values())
                .filter(variable -> variable.key.equals(key))
                .findFirst();
    }

    /**
     * Whether Kubernetes has probably set the variable, so that it is no setting. For each service x, such as
     * hearth-master, Kubernetes sets X_PORT=tcp://address:port in every pod.
     */
    private static boolean isServiceLink(String name, String value) {
        return name.endsWith("_PORT") && value.contains("://");
    }
}

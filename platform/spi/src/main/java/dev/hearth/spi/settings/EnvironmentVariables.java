package dev.hearth.spi.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The settings that the environment gives, which rank lowest. A variable of ours beats the field's for the same key. */
enum EnvironmentVariables {
    MASTER("hearth.master", "MASTER"),
    DEPLOY_MODE("hearth.submit.deployMode", ""),
    DRIVER_MEMORY("hearth.driver.memory", "SPARK_DRIVER_MEMORY"),
    EXECUTOR_MEMORY("hearth.executor.memory", "SPARK_EXECUTOR_MEMORY"),
    EXECUTOR_CORES("hearth.executor.cores", "SPARK_EXECUTOR_CORES"),
    MASTER_HOST("hearth.master.host", "SPARK_MASTER_HOST"),
    MASTER_PORT("hearth.master.port", "SPARK_MASTER_PORT"),
    WORKER_HOST("hearth.worker.host", ""),
    WORKER_PORT("hearth.worker.port", "SPARK_WORKER_PORT"),
    WORKER_CORES("hearth.worker.cores", "SPARK_WORKER_CORES"),
    WORKER_MEMORY("hearth.worker.memory", "SPARK_WORKER_MEMORY"),
    WORKER_DIR("hearth.worker.dir", "SPARK_WORKER_DIR"),
    AUTHENTICATE_SECRET("hearth.authenticate.secret", "_SPARK_AUTH_SECRET"),
    REST_TOKEN("hearth.rest.token", "");

    private final String key;
    private final String fields;

    /** {@code fields} is the name in the field; empty where it has none. */
    EnvironmentVariables(String key, String fields) {
        this.key = key;
        this.fields = fields;
    }

    String key() {
        return key;
    }

    String ours() {
        return "HEARTH_" + name();
    }

    String fields() {
        return fields;
    }

    /** What is set in {@code environment}. */
    static List<SourceEntry> given(Map<String, String> environment) {
        List<SourceEntry> given = new ArrayList<>();
        for (EnvironmentVariables variable : values()) {
            for (String name : List.of(variable.fields, variable.ours())) {
                String value = environment.getOrDefault(name, "").strip();
                if (!value.isEmpty() && !isServiceLink(name, value)) {
                    given.add(new SourceEntry(variable.key, ValueTemplate.literal(value), "environment " + name));
                }
            }
        }
        return given;
    }

    /** Kubernetes sets X_PORT=tcp://address:port in every pod beside a service x, for instance one named hearth-master. */
    private static boolean isServiceLink(String name, String value) {
        return name.endsWith("_PORT") && value.contains("://");
    }
}

package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** A volume that settings add to pods, and where it is mounted. {@code options} has what its kind knows. Immutable. */
record PodVolume(
        Kind kind,
        String name,
        String path,
        String subPath,
        String subPathExpression,
        boolean readOnly,
        Map<String, String> options) {
    /** Volumes whose names begin so are local directories of executors. */
    static final String LOCAL = "spark-local-dir-";

    private static final String EXECUTOR = "SPARK_EXECUTOR_ID";

    PodVolume {
        options = Map.copyOf(options);
    }

    /** Kind of a volume; the names are those of settings. */
    enum Kind {
        hostPath,
        persistentVolumeClaim,
        emptyDir,
        nfs
    }

    boolean isLocalDirectory() {
        return name.startsWith(LOCAL);
    }

    /** The element of the list of volumes of the pod of executor {@code executor}. */
    ObjectNode volume(String executor) {
        ObjectNode volume = Json.named(name);
        ObjectNode source = volume.putObject(kind.name());
        switch (kind) {
            case hostPath -> {
                source.put("path", option("path"));
                source.put("type", options.getOrDefault("type", ""));
            }
            case persistentVolumeClaim ->
                source.put("claimName", option("claimName").replace(EXECUTOR, executor))
                        .put("readOnly", readOnly);
            case nfs ->
                source.put("server", option("server"))
                        .put("path", option("path"))
                        .put("readOnly", readOnly);
            case emptyDir -> {
                source.put("medium", options.getOrDefault("medium", ""));
                if (options.containsKey("sizeLimit")) {
                    source.put("sizeLimit", option("sizeLimit"));
                }
            }
        }
        return volume;
    }

    /** The element of the list of mounts of the container. */
    ObjectNode mount(String executor) {
        ObjectNode mount = Json.named(name).put("mountPath", path).put("readOnly", readOnly);
        if (!subPath.isEmpty()) {
            mount.put("subPath", subPath.replace(EXECUTOR, executor));
        }
        if (!subPathExpression.isEmpty()) {
            mount.put("subPathExpr", subPathExpression);
        }
        return mount;
    }

    private String option(String option) {
        return options.getOrDefault(option, "");
    }
}

package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A volume that settings add to pods, and where it is mounted. {@code options} has what its kind knows, {@code labels} and
 * {@code annotations} those of a claim that is created for it. Immutable.
 */
record PodVolume(
        Kind kind,
        String name,
        String path,
        String subPath,
        String subPathExpression,
        boolean readOnly,
        Map<String, String> options,
        Map<String, String> labels,
        Map<String, String> annotations) {
    /** Volumes whose names begin so are local directories. */
    static final String LOCAL = "spark-local-dir-";
    /** Name of a claim that is created for the pod. */
    static final String ON_DEMAND = "OnDemand";

    /** Text in names of claims and paths for which the number of the executor stands. */
    static final String EXECUTOR = "SPARK_EXECUTOR_ID";

    PodVolume {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
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

    boolean isOnDemand() {
        return kind == Kind.persistentVolumeClaim && option("claimName").equals(ON_DEMAND);
    }

    /** The claim that is created for this volume. */
    ClaimSpec claim(String mode) {
        return new ClaimSpec(
                name, Optional.ofNullable(options.get("storageClass")), option("sizeLimit"), mode, labels, annotations);
    }

    /**
     * The element of the list of volumes of a pod: that of executor {@code executor}, or of a driver if it is empty. {@code
     * claims} has the names of the claims on demand by volume.
     */
    ObjectNode volume(String executor, Map<String, String> claims) {
        ObjectNode volume = Json.named(name);
        ObjectNode source = volume.putObject(kind.name());
        switch (kind) {
            case hostPath -> {
                source.put("path", option("path"));
                source.put("type", options.getOrDefault("type", ""));
            }
            case persistentVolumeClaim ->
                source.put("claimName", claims.getOrDefault(name, filled(option("claimName"), executor)))
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
            mount.put("subPath", filled(subPath, executor));
        }
        if (!subPathExpression.isEmpty()) {
            mount.put("subPathExpr", subPathExpression);
        }
        return mount;
    }

    private static String filled(String text, String executor) {
        return executor.isEmpty() ? text : text.replace(EXECUTOR, executor);
    }

    private String option(String option) {
        return options.getOrDefault(option, "");
    }
}

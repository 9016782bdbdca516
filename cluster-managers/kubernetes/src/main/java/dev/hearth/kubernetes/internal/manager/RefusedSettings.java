package dev.hearth.kubernetes.internal.manager;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Settings of Spark for Kubernetes that have no effect here, and advice for their users. Pure. */
final class RefusedSettings {
    private static final String ROLLING =
            "remove it; executors are not replaced in turn. hearth:decommission replaces one of them";
    private static final String RESIZING =
            "remove it; pods and claims keep their size. Set hearth.executor.memory, or the size of the claim";
    private static final String SNAPSHOTS =
            "remove it; each change of a pod is handled when the API server reports it, without snapshots and intervals";
    private static final String HADOOP =
            "remove it; put the files of the Hadoop client into the image, or mount them by hearth.kubernetes.*.secrets.*";
    private static final String NO_INIT_CONTAINER =
            "remove it; no init container is needed. The driver fetches files, and executors get them from the driver";
    private static final String NO_STAGING =
            "remove it; no staging server is needed. Files are part of the submission's secret, or sent to the driver";
    private static final String NO_SHUFFLE_SERVICE =
            "remove it; executors serve shuffle data themselves. Set hearth.dynamicAllocation.shuffleTracking.enabled";
    private static final String OF_SPARK = "remove it; Spark sets it itself, for the second step of its submission";
    private static final String STEPS =
            "remove it; name fields of the pod in a template or in hearth.kubernetes.executor.patchFile, not classes";
    private static final String VOLCANO =
            "set hearth.kubernetes.scheduler.name, and the annotations of a pod group by hearth.kubernetes.*.annotation.*";

    /** Advice by key, without the prefix, and by family with a dot at its end. */
    private static final Map<String, String> ADVICE = advice();

    private RefusedSettings() {}

    /** Advice for users of the setting {@code rest}, without its prefix; empty if Spark has no such setting. */
    static Optional<String> advice(String rest) {
        String known = ADVICE.get(rest);
        if (known != null) {
            return Optional.of(known);
        }
        return ADVICE.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(".") && rest.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Map<String, String> advice() {
        Map<String, String> advice = new LinkedHashMap<>();
        ofExecutors(advice);
        ofDriversAndFiles(advice);
        ofServices(advice);
        return advice;
    }

    private static void put(Map<String, String> advice, String words, String... keys) {
        for (String key : keys) {
            advice.put(key, words);
        }
    }

    private static void ofExecutors(Map<String, String> advice) {
        put(
                advice,
                "remove it; executors connect to the address of the driver's pod, which needs no readiness",
                "allocation.driver.readinessTimeout");
        put(
                advice,
                "remove it; raise hearth.executor.memory, or lower hearth.executor.cores, if executors run out of memory",
                "allocation.recoveryMode.enabled");
        put(
                advice,
                "remove it; Hearth deletes the pods that it has chosen, so that the cluster chooses none",
                "executor.podDeletionCost");
        put(
                advice,
                "remove it; executors get their settings from the driver, so that there is no config map",
                "executor.disableConfigMap");
        put(
                advice,
                "remove it; the driver waits at most 5 s for the reason of a loss, and adds a later one",
                "executor.lostCheck.maxAttempts");
        put(
                advice,
                SNAPSHOTS,
                "executor.enablePollingWithResourceVersion",
                "executor.eventProcessingInterval",
                "executor.missingPodDetectDelta",
                "executor.deletedExecutorsCacheTimeout",
                "executorSnapshotsSubscribersShutdownGracePeriod");
        put(
                advice,
                ROLLING,
                "executor.rollInterval",
                "executor.rollPolicy",
                "executor.minTasksPerExecutorBeforeRolling");
        put(
                advice,
                RESIZING,
                "executor.resizeInterval",
                "executor.resizeThreshold",
                "executor.resizeFactor",
                "executor.pvc.resizeInterval",
                "executor.pvc.resizeThreshold",
                "executor.pvc.resizeFactor");
    }

    private static void ofDriversAndFiles(Map<String, String> advice) {
        put(
                advice,
                "remove it; files are sent to the driver without a store. For a store, name its address, such as"
                        + " https:, in place of the path",
                "file.upload.path");
        put(
                advice,
                "remove it; name a jar as local:/path of the image if the driver must not fetch it",
                "jars.avoidDownloadSchemes");
        put(advice, OF_SPARK, "driver.resourceNamePrefix", "submitInDriver", "resource.type");
        put(advice, STEPS, "driver.pod.featureSteps", "executor.pod.featureSteps", "executor.pod.excludedFeatureSteps");
        put(advice, "remove it; nodes are compared by their names, which need no DNS", "driver.hdfslocality.");
    }

    private static void ofServices(Map<String, String> advice) {
        put(advice, HADOOP, "hadoop.", "kerberos.");
        put(advice, VOLCANO, "scheduler.volcano.");
        put(advice, NO_INIT_CONTAINER, "initcontainer.", "mountdependencies.");
        put(advice, NO_STAGING, "resourceStagingServer.", "authenticate.resourceStagingServer.");
        put(advice, NO_SHUFFLE_SERVICE, "shuffle.", "authenticate.shuffleService.");
    }
}

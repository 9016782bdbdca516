package dev.hearth.yarn.internal.manager;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Settings of Spark for YARN without effect here: those with a word in the log, and those that are refused. Pure. */
final class YarnRefusals {
    private static final String NO_SHUFFLE_SERVICE =
            "executors serve shuffle data themselves; set hearth.dynamicAllocation.shuffleTracking.enabled";
    private static final String OF_SPARK = "remove it; Spark sets it itself, between its submitter and its driver";
    private static final String NO_CLASS_PATH =
            "classes of the cluster never come before those of the application, nor among them";
    private static final String NO_PYTHON = "remove it; Python is not supported";

    /** Words by key, without the prefix; a family has a dot at its end. */
    private static final Map<String, String> WITHOUT_EFFECT = withoutEffect();

    private static final Map<String, String> REFUSED = refused();

    private YarnRefusals() {}

    /** Why the setting {@code rest}, without its prefix, has no effect; empty if it is no such setting. */
    static Optional<String> withoutEffect(String rest) {
        return find(WITHOUT_EFFECT, rest);
    }

    /** Advice for users of the refused setting {@code rest}; empty if Spark has no such setting. */
    static Optional<String> refused(String rest) {
        return find(REFUSED, rest);
    }

    private static Optional<String> find(Map<String, String> words, String rest) {
        return Optional.ofNullable(words.get(rest))
                .or(() -> words.entrySet().stream()
                        .filter(entry -> entry.getKey().endsWith(".") && rest.startsWith(entry.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst());
    }

    private static Map<String, String> withoutEffect() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("am.waitTime", "a driver may take any time before it opens its first context");
        words.put("applicationMaster.waitTries", "a driver may take any time before it opens its first context");
        words.put("am.clientModeTreatDisconnectAsFailed", "a driver that is gone always fails its application");
        words.put("am.clientModeExitOnError", "a program always ends with its application");
        words.put(
                "scheduler.reporterThread.maxFailures",
                "a ResourceManager that is gone is waited for; set hearth.yarn.am.reconnectTimeout");
        words.put("executor.oomKill.enabled", "an executor that runs out of memory always ends");
        words.put("includeDriverLogsLink", "links to the driver's logs are always reported");
        words.put("populateHadoopClasspath", NO_CLASS_PATH);
        words.put("user.classpath.first", NO_CLASS_PATH);
        words.put(
                "client.statCache.preload.enabled",
                "names of files in the store are their contents, so one look suffices");
        words.put(
                "client.statCache.preload.perDirectoryThreshold",
                "names of files in the store are their contents, so one look suffices");
        words.put("dist.forceDownloadSchemes", "files that are not on a Hadoop file system are always fetched");
        words.put("clientLaunchMonitorInterval", "a driver looks for its application master every 50 ms");
        words.put("am.port", "the application master listens on no port of its own");
        words.put(
                "credentials.file.retention.",
                "tokens are sent by messages; set hearth.security.credentials.retryWait");
        words.put("services", "the application master starts no services");
        words.put("shuffle.", NO_SHUFFLE_SERVICE);
        words.put("shuffle.service.", NO_SHUFFLE_SERVICE);
        return words;
    }

    private static Map<String, String> refused() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("isPython", NO_PYTHON);
        words.put("dist.pyFiles", NO_PYTHON);
        words.put("cache.", OF_SPARK);
        words.put("user.jar", OF_SPARK);
        words.put("secondary.jars", OF_SPARK);
        words.put("app.", OF_SPARK);
        words.put("launchContainers", OF_SPARK);
        return words;
    }
}

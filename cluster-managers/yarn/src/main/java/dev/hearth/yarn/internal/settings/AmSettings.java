package dev.hearth.yarn.internal.settings;

import dev.hearth.api.HearthException;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The application master: the process of the relay in client mode, and what holds for the driver's container in cluster
 * mode. Immutable.
 */
public record AmSettings(
        boolean unmanaged,
        int heapMebibytes,
        int overheadMebibytes,
        int cores,
        List<String> javaOptions,
        Optional<String> libraryPath,
        boolean limitsProcessors,
        Map<String, String> environment,
        Optional<String> javaHome,
        RetryOn retryOn,
        Optional<Duration> reconnectTimeout,
        Duration driverTimeout,
        int finalMessageCharacters) {
    private static final int HEAP = 64;
    private static final int OVERHEAD = 192;
    private static final int FINAL_MESSAGE = 32 * 1024;

    /** Ends of a driver after which YARN starts it again. */
    public enum RetryOn {
        /** Those of the cluster: a lost node, a preempted container, a signal. */
        INFRASTRUCTURE,
        /** Also exceptions and exit statuses of the program. */
        ANY
    }

    public static final SettingKey<Boolean> UNMANAGED = SettingKey.flag(
            YarnKeys.PREFIX + "unmanagedAM.enabled",
            false,
            "Whether the driver in client mode is the application master itself, so that it needs no container.");
    private static final SettingKey<Integer> MEMORY = SettingKey.mebibytes(
            YarnKeys.PREFIX + "am.memory",
            HEAP,
            32,
            Integer.MAX_VALUE,
            "Memory of the application master in client mode. The driver in cluster mode has hearth.driver.memory.");
    private static final SettingKey<Integer> MEMORY_OVERHEAD = SettingKey.mebibytes(
            YarnKeys.PREFIX + "am.memoryOverhead",
            OVERHEAD,
            0,
            Integer.MAX_VALUE,
            "Memory of the application master in client mode beyond its heap.");
    private static final SettingKey<Integer> CORES = SettingKey.integer(
            YarnKeys.PREFIX + "am.cores", 1, 1, Integer.MAX_VALUE, "Cores of the application master in client mode.");
    private static final SettingKey<String> JAVA_OPTIONS = YarnKeys.text(
            "am.extraJavaOptions", "Options of the application master's Java in client mode; no -Xmx and no -Dspark.");
    private static final SettingKey<String> DEFAULT_JAVA_OPTIONS = YarnKeys.text(
            "am.defaultJavaOptions", "Options that come before those of hearth.yarn.am.extraJavaOptions.");
    private static final SettingKey<String> LIBRARY_PATH = YarnKeys.text(
            "am.extraLibraryPath", "Directories of native libraries for the application master in client mode.");
    private static final SettingKey<Boolean> LIMIT_PROCESSORS = SettingKey.flag(
            YarnKeys.PREFIX + "am.limitActiveProcessorCount.enabled",
            false,
            "Whether the Java of the application master sees as many processors as its container has cores.");
    public static final SettingKey<String> AM_AMOUNTS = YarnKeys.amounts("am", "the application master in client mode");
    public static final SettingKey<String> DRIVER_AMOUNTS = YarnKeys.amounts("driver", "the driver in cluster mode");
    private static final SettingKey<String> ENVIRONMENT = SettingKey.family(
            YarnKeys.PREFIX + "appMasterEnv.*",
            "Environment variable of the application master, which is the driver in cluster mode.",
            "letters, digits and underscores",
            (name, value) -> name.matches("[A-Za-z_][A-Za-z0-9_]*"));
    private static final SettingKey<String> JAVA_HOME =
            YarnKeys.text("java.home", "Directory of Java 17 or later on the nodes, used in place of their JAVA_HOME.");
    private static final SettingKey<RetryOn> RETRY_ON = SettingKey.choice(
            YarnKeys.PREFIX + "am.retryOn",
            RetryOn.class,
            RetryOn.INFRASTRUCTURE,
            "Ends of a driver in cluster mode after which YARN starts it again: `infrastructure`, such as a lost node, or"
                    + " `any`, as in Spark, also after an exception of the program.");
    private static final SettingKey<Duration> RECONNECT = SettingKey.duration(
                    YarnKeys.PREFIX + "am.reconnectTimeout",
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(1),
                    "How long a driver waits for a ResourceManager or an application master that is gone.")
            .withoutDefault("twice the time after which YARN gives up an application master");
    private static final SettingKey<Duration> DRIVER_TIMEOUT = SettingKey.duration(
            YarnKeys.PREFIX + "am.driverTimeout",
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            "How long the application master in client mode waits for a driver that is gone.");
    private static final SettingKey<Integer> FINAL_MESSAGE_LIMIT = SettingKey.integer(
            YarnKeys.PREFIX + "am.finalMessageLimit",
            FINAL_MESSAGE,
            256,
            FINAL_MESSAGE,
            "Characters of the diagnostics with which an application ends; the middle of a longer text is left out.");

    /** Files of executors, as text; set by the submitter. */
    public static final SettingKey<String> STAGED = YarnKeys.text(
            "am.staged", "Files of executors on the cluster's file system; the submitter sets it for a driver there.");
    /** Directory of the application's own files; set by the submitter. */
    public static final SettingKey<String> STAGING_DIRECTORY = YarnKeys.text(
            "am.stagingDirectory",
            "Directory that a driver on the cluster removes at its end; the submitter sets it for the driver.");

    public static final List<SettingKey<?>> KEYS = List.of(
            STAGED,
            STAGING_DIRECTORY,
            UNMANAGED,
            MEMORY,
            MEMORY_OVERHEAD,
            CORES,
            JAVA_OPTIONS,
            DEFAULT_JAVA_OPTIONS,
            LIBRARY_PATH,
            LIMIT_PROCESSORS,
            AM_AMOUNTS,
            DRIVER_AMOUNTS,
            ENVIRONMENT,
            JAVA_HOME,
            RETRY_ON,
            RECONNECT,
            DRIVER_TIMEOUT,
            FINAL_MESSAGE_LIMIT);

    public AmSettings {
        javaOptions = List.copyOf(javaOptions);
        environment = Map.copyOf(environment);
    }

    /** Reads the settings; {@code in} records the problems. */
    public static AmSettings read(SettingsReader in) {
        return new AmSettings(
                in.read(UNMANAGED),
                in.read(MEMORY),
                in.read(MEMORY_OVERHEAD),
                in.read(CORES),
                options(in),
                in.find(LIBRARY_PATH),
                in.read(LIMIT_PROCESSORS),
                in.readAll(ENVIRONMENT),
                in.find(JAVA_HOME),
                in.read(RETRY_ON),
                in.find(RECONNECT),
                in.read(DRIVER_TIMEOUT),
                in.read(FINAL_MESSAGE_LIMIT));
    }

    /** Words of both settings with options, in their order; records what an application master may not have. */
    private static List<String> options(SettingsReader in) {
        List<String> words = new ArrayList<>();
        for (SettingKey<String> key : List.of(DEFAULT_JAVA_OPTIONS, JAVA_OPTIONS)) {
            String text = in.find(key).orElse("");
            in.expect(!text.contains("-Dspark") && !text.contains("-Dhearth"), key, "options without settings");
            in.expect(
                    !text.contains("-Xmx"),
                    key,
                    key + " is not allowed to specify max heap memory settings (was '" + text + "'). Use " + MEMORY
                            + " instead.");
            try {
                Settings alone = Settings.empty().with(key.name(), "hearth.executor.extraJavaOptions", text);
                words.addAll(LaunchOptions.ofExecutors(alone).javaOptions());
            } catch (HearthException malformed) {
                in.expect(false, key, "options of Java, quotes in pairs");
            }
        }
        return words;
    }
}

package dev.hearth.spi.process;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * JVM options, directories of native libraries and environment variables that an application gives to the processes
 * that run its code. Cluster managers read them from the application's settings and start child processes with them.
 * Immutable.
 */
public record LaunchOptions(List<String> javaOptions, String libraryPath, Map<String, String> environment) {
    private static final String DRIVER_RULE = "options of Java, each beginning with -, quotes in pairs, none of them"
            + " -jar or --module, nor -Xmx, for which there is hearth.driver.memory";
    private static final String EXECUTOR_RULE = "options of Java, each beginning with -, quotes in pairs, none of them"
            + " -jar or --module, nor -Xmx, for which there is hearth.executor.memory, nor a setting such as"
            + " -Dhearth.x or -Dspark.x, for which there is --conf";
    private static final String VARIABLE_RULE =
            "a variable whose name has letters, digits and _, begins with no digit and not with HEARTH_";
    private static final Pattern VARIABLE = Pattern.compile("(?!HEARTH_)[A-Za-z_][A-Za-z0-9_]*");

    /** JVM options of drivers that precede those of {@link #DRIVER_JAVA_OPTIONS}. */
    public static final SettingKey<String> DRIVER_DEFAULT_JAVA_OPTIONS = SettingKey.text(
                    "hearth.driver.defaultJavaOptions",
                    "",
                    "Java options of the driver, before those of hearth.driver.extraJavaOptions.")
            .obeying(DRIVER_RULE, JavaOptions::areOfDriver);

    public static final SettingKey<String> DRIVER_JAVA_OPTIONS = SettingKey.text(
                    "hearth.driver.extraJavaOptions",
                    "",
                    "Java options of the driver, separated by blanks; quotes as in a shell.")
            .obeying(DRIVER_RULE, JavaOptions::areOfDriver);
    public static final SettingKey<String> DRIVER_LIBRARY_PATH = SettingKey.text(
                    "hearth.driver.extraLibraryPath",
                    "",
                    "Directories of native libraries for the driver, searched before Java's own.")
            .obeying("directories separated by colons", LaunchOptions::hasNoNull);

    private static final SettingKey<String> EXECUTOR_DEFAULT_JAVA_OPTIONS = SettingKey.text(
                    "hearth.executor.defaultJavaOptions",
                    "",
                    "Java options of executors, before those of hearth.executor.extraJavaOptions.")
            .obeying(EXECUTOR_RULE, JavaOptions::areOfExecutor);
    private static final SettingKey<String> EXECUTOR_JAVA_OPTIONS = SettingKey.text(
                    "hearth.executor.extraJavaOptions",
                    "",
                    "Java options of executors, separated by blanks; quotes as in a shell. `{{APP_ID}}` and"
                            + " `{{EXECUTOR_ID}}` stand for the ids of the application and the executor.")
            .obeying(EXECUTOR_RULE, JavaOptions::areOfExecutor);
    private static final SettingKey<String> EXECUTOR_LIBRARY_PATH = SettingKey.text(
                    "hearth.executor.extraLibraryPath",
                    "",
                    "Directories of native libraries on the machines of executors, searched before Java's own.")
            .obeying("directories separated by colons", LaunchOptions::hasNoNull);
    private static final SettingKey<String> EXECUTOR_ENVIRONMENT = SettingKey.family(
            "hearth.executorEnv.*",
            "The environment variable of executors that the rest of the key names.",
            VARIABLE_RULE,
            LaunchOptions::isVariable);

    private static final SettingKey<String> DRIVER_ENVIRONMENT = SettingKey.family(
            "hearth.driverEnv.*",
            "The environment variable, of a driver that runs on the cluster, that the rest of the key names.",
            VARIABLE_RULE,
            LaunchOptions::isVariable);

    public static final List<SettingKey<?>> KEYS = List.of(
            DRIVER_DEFAULT_JAVA_OPTIONS,
            DRIVER_JAVA_OPTIONS,
            DRIVER_LIBRARY_PATH,
            DRIVER_ENVIRONMENT,
            EXECUTOR_DEFAULT_JAVA_OPTIONS,
            EXECUTOR_JAVA_OPTIONS,
            EXECUTOR_LIBRARY_PATH,
            EXECUTOR_ENVIRONMENT);

    /** Options that change nothing. */
    public static final LaunchOptions NONE = new LaunchOptions(List.of(), "", Map.of());

    public LaunchOptions {
        javaOptions = List.copyOf(javaOptions);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /** Options of a driver that a cluster manager starts; fails with {@code BAD_SETTING}. */
    public static LaunchOptions ofDriver(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        LaunchOptions read = ofDriver(in);
        in.finish();
        return read;
    }

    /** As {@link #ofDriver(Settings)}; {@code in} records the problems. */
    public static LaunchOptions ofDriver(SettingsReader in) {
        return new LaunchOptions(
                javaOptions(in.read(DRIVER_DEFAULT_JAVA_OPTIONS), in.read(DRIVER_JAVA_OPTIONS)),
                in.read(DRIVER_LIBRARY_PATH),
                in.readAll(DRIVER_ENVIRONMENT));
    }

    /** Options of executors, in which ids are not filled in yet; fails with {@code BAD_SETTING}. */
    public static LaunchOptions ofExecutors(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        LaunchOptions read = ofExecutors(in);
        in.finish();
        return read;
    }

    /** As {@link #ofExecutors(Settings)}; {@code in} records the problems. */
    public static LaunchOptions ofExecutors(SettingsReader in) {
        return new LaunchOptions(
                javaOptions(in.read(EXECUTOR_DEFAULT_JAVA_OPTIONS), in.read(EXECUTOR_JAVA_OPTIONS)),
                in.read(EXECUTOR_LIBRARY_PATH),
                in.readAll(EXECUTOR_ENVIRONMENT));
    }

    /** The same options with the ids of one executor in place of {@code {{APP_ID}}} and {@code {{EXECUTOR_ID}}}. */
    public LaunchOptions of(ApplicationId application, ExecutorId executor) {
        List<String> filled = javaOptions.stream()
                .map(option ->
                        option.replace("{{APP_ID}}", application.value()).replace("{{EXECUTOR_ID}}", executor.value()))
                .toList();
        return new LaunchOptions(filled, libraryPath, environment);
    }

    /** The same options with further environment variables, which those of these options replace. */
    public LaunchOptions over(Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(variables);
        all.putAll(environment);
        return new LaunchOptions(javaOptions, libraryPath, all);
    }

    private static boolean isVariable(String name, String value) {
        return VARIABLE.matcher(name).matches() && hasNoNull(value);
    }

    private static List<String> javaOptions(String defaults, String extra) {
        List<String> options = new ArrayList<>(JavaOptions.words(defaults).orElse(List.of()));
        options.addAll(JavaOptions.words(extra).orElse(List.of()));
        return options;
    }

    private static boolean hasNoNull(String text) {
        return text.indexOf('\0') < 0;
    }

    /** Text form without the values, which may be secrets. */
    @Override
    public String toString() {
        return javaOptions.size() + " options of Java, variables " + environment.keySet();
    }
}

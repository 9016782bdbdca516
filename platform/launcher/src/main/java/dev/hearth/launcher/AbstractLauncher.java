package dev.hearth.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The choices that all launchers have in common: what to run, where, and with which settings. Later choices replace
 * earlier ones. Not thread-safe.
 *
 * @param <T> type of the launcher
 */
public abstract class AbstractLauncher<T extends AbstractLauncher<T>> {
    static final String MASTER = "--master";
    static final String DEPLOY_MODE = "--deploy-mode";
    static final String CLASS = "--class";
    static final String NAME = "--name";
    static final String PROPERTIES_FILE = "--properties-file";

    private static final List<String> CONF = List.of("--conf", "-c");

    private final List<SubmitFlag> flags = new ArrayList<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    /** The resources of flags that name lists, by flag. */
    private final Map<String, List<String>> resources = new LinkedHashMap<>();

    private final List<String> arguments = new ArrayList<>();
    private String application = "";

    AbstractLauncher() {
        for (String flag : List.of("--jars", "--files", "--archives")) {
            resources.put(flag, new ArrayList<>());
        }
    }

    abstract T self();

    /** Sets where the application runs, such as {@code local[4]} or {@code hearth://10.0.0.1:7077}. */
    public T master(String url) {
        return flag(MASTER, url);
    }

    /** Sets where the driver runs: {@code client} or {@code cluster}. */
    public T deployMode(String mode) {
        return flag(DEPLOY_MODE, mode);
    }

    public T mainClass(String name) {
        return flag(CLASS, name);
    }

    /** Sets the name of the application. */
    public T name(String name) {
        return flag(NAME, name);
    }

    public T propertiesFile(Path file) {
        return flag(PROPERTIES_FILE, file.toString());
    }

    /** Sets the application's jar by path or URI, or {@link LauncherConstants#NO_RESOURCE}. */
    public T application(String resource) {
        application = given("application", resource);
        return self();
    }

    /** Sets a setting of the application, with a key such as {@code hearth.executor.memory}. */
    public T setting(String key, String value) {
        if (!key.startsWith("hearth.") && !key.startsWith("spark.")) {
            throw new IllegalArgumentException(
                    "setting '" + key + "': unknown (expected: a key that begins with hearth. or spark.)");
        }
        settings.put(key, value);
        return self();
    }

    /** Adds a jar to the class path of the application. */
    public T jar(String resource) {
        return resource("--jars", "jar", resource);
    }

    /** Adds a file that the driver and the tasks find. */
    public T file(String resource) {
        return resource("--files", "file", resource);
    }

    /** Adds an archive that the driver and the tasks find unpacked. */
    public T archive(String resource) {
        return resource("--archives", "archive", resource);
    }

    /** Adds arguments of the application. */
    public T arguments(String... more) {
        arguments.addAll(List.of(more));
        return self();
    }

    /** Adds a switch of {@code bin/submit}, such as {@code --supervise}. */
    public T flag(String name) {
        flags.add(new SubmitFlag(name, Optional.empty()));
        return self();
    }

    /**
     * Adds a flag of {@code bin/submit} and its value. {@code --conf} sets a setting as {@link #setting} does; {@code
     * --jars}, {@code --files} and {@code --archives} replace what was added to their lists.
     */
    public T flag(String name, String value) {
        SubmitFlag flag = new SubmitFlag(name, Optional.of(given(name, value)));
        if (CONF.contains(name)) {
            int equals = value.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(name + " '" + value + "': no value (expected: KEY=VALUE)");
            }
            return setting(value.substring(0, equals), value.substring(equals + 1));
        }
        if (resources.containsKey(name)) {
            resources.put(name, new ArrayList<>(Arrays.asList(value.split(",", -1))));
        } else {
            flags.add(flag);
        }
        return self();
    }

    /** Prints settings and the trace of a failure to standard error. */
    public T verbose() {
        return flag("--verbose");
    }

    List<SubmitFlag> flags() {
        return List.copyOf(flags);
    }

    Map<String, String> settings() {
        return new LinkedHashMap<>(settings);
    }

    /** The resources of a flag that names a list, such as {@code --jars}. */
    Map<String, List<String>> resources() {
        return new LinkedHashMap<>(resources);
    }

    String application() {
        return application;
    }

    List<String> arguments() {
        return List.copyOf(arguments);
    }

    /** The value that was given last for the flag {@code name}. */
    Optional<String> last(String name) {
        return flags.stream()
                .filter(flag -> flag.name().equals(name))
                .reduce((first, second) -> second)
                .flatMap(SubmitFlag::value);
    }

    /** The words of the command line after the program. */
    List<String> command() {
        List<String> words = new ArrayList<>();
        flags.forEach(flag -> words.addAll(flag.words()));
        settings.forEach((key, value) -> words.addAll(List.of("--conf", key + "=" + value)));
        resources.forEach((flag, list) -> {
            if (!list.isEmpty()) {
                words.addAll(List.of(flag, String.join(",", list)));
            }
        });
        if (!application.isEmpty()) {
            words.add(application);
        } else if (flags.stream().noneMatch(SubmitFlag::needsNoApplication)) {
            throw new IllegalStateException("application: not given (expected: a jar, or NO_RESOURCE)");
        }
        words.addAll(arguments);
        return words;
    }

    private T resource(String flag, String what, String resource) {
        resources.computeIfAbsent(flag, name -> new ArrayList<>()).add(given(what, resource));
        return self();
    }

    static String given(String what, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(what + ": empty (expected: a value)");
        }
        return value;
    }
}

package dev.hearth.launcher;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/**
 * The request by which a standalone master starts a driver, in Spark's submission protocol, from the choices of a
 * launcher. Settings of flags have Spark's names, so that masters of Spark understand them too. Stateless.
 */
final class SubmissionRequestBody {
    private static final String OWN = "hearth.";
    private static final String SPARK = "spark.";
    private static final String VERSION = "4.2.0"; // of the protocol's last change
    /** Flags with a meaning for the submitter alone. */
    private static final Set<String> HERE = Set.of("--verbose", "-v", "--no-wait", "--load-spark-defaults");

    private static final Set<String> FILES = Set.of(AbstractLauncher.PROPERTIES_FILE, "--extra-properties-file");

    private SubmissionRequestBody() {}

    static String of(AbstractLauncher<?> choices, FlagTable table) throws IOException {
        Map<String, String> settings = new TreeMap<>();
        for (SubmitFlag flag : choices.flags()) {
            if (FILES.contains(flag.name())) {
                settings.putAll(read(Path.of(flag.value().orElse(""))));
            }
        }
        settings.putAll(choices.settings());
        for (SubmitFlag flag : choices.flags()) {
            set(flag, table, settings);
        }
        choices.resources().forEach((flag, list) -> {
            if (!list.isEmpty()) {
                settings.put(sparkName(table.setting(flag).orElseThrow()), String.join(",", list));
            }
        });
        String mainClass = mainClass(choices);
        settings.put(SPARK + "submit.deployMode", "cluster");
        if (!settings.containsKey(LauncherConstants.APPLICATION_NAME)) {
            settings.putIfAbsent(SPARK + "app.name", mainClass);
        }
        String resource = choices.application().equals(LauncherConstants.NO_RESOURCE) ? "" : choices.application();
        return "{\n  \"action\" : \"CreateSubmissionRequest\",\n  \"appArgs\" : " + list(choices.arguments())
                + ",\n  \"appResource\" : " + JsonFields.quoted(resource)
                + ",\n  \"clientSparkVersion\" : " + JsonFields.quoted(VERSION)
                + ",\n  \"environmentVariables\" : { },\n  \"mainClass\" : " + JsonFields.quoted(mainClass)
                + ",\n  \"sparkProperties\" : " + object(settings) + "\n}";
    }

    private static void set(SubmitFlag flag, FlagTable table, Map<String, String> settings) {
        Optional<String> key = table.setting(flag.name());
        if (key.isPresent()) {
            settings.put(sparkName(key.get()), flag.value().orElse("true"));
        } else if (!HERE.contains(flag.name())
                && !FILES.contains(flag.name())
                && !flag.name().equals(AbstractLauncher.CLASS)) {
            throw new IllegalArgumentException("flag " + flag.name()
                    + ": unknown to a master (expected: a flag that sets a setting); set the setting, or use Launcher");
        }
    }

    private static Map<String, String> read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(in);
        }
        return properties.stringPropertyNames().stream().collect(Collectors.toMap(key -> key, properties::getProperty));
    }

    /** The main class that was given, or that the manifest of a jar on this machine names. */
    private static String mainClass(AbstractLauncher<?> choices) throws IOException {
        Optional<String> given = choices.last(AbstractLauncher.CLASS);
        if (given.isPresent()) {
            return given.get();
        }
        String text = choices.application();
        Path jar = Path.of(text.startsWith("file:") ? text.replaceFirst("^file:(//)?", "") : text);
        String found = null;
        if (Files.isRegularFile(jar)) {
            try (JarFile open = new JarFile(jar.toFile())) {
                found = open.getManifest() == null
                        ? null
                        : open.getManifest().getMainAttributes().getValue("Main-Class");
            }
        }
        if (found == null) {
            throw new IllegalArgumentException(
                    "main class of " + text + ": not given (expected: by mainClass, or by the manifest of a jar here)");
        }
        return found;
    }

    private static String sparkName(String key) {
        return key.startsWith(OWN) ? SPARK + key.substring(OWN.length()) : key;
    }

    private static String list(List<String> texts) {
        return texts.stream().map(JsonFields::quoted).collect(Collectors.joining(", ", "[ ", " ]"));
    }

    private static String object(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> JsonFields.quoted(field.getKey()) + " : " + JsonFields.quoted(field.getValue()))
                .collect(Collectors.joining(",\n    ", "{\n    ", "\n  }"));
    }
}

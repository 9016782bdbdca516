package dev.hearth.spi.settings;

import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Combines settings by rank, highest first: flags, {@code --conf}, later properties files, earlier ones, the
 * installation's defaults, those of Spark, the environment, system properties. The order of the calls matters only for properties files. Values may refer
 * to environment variables and to other settings. Used once, by one thread.
 */
public final class SettingsSources {
    private static final String PROPERTIES_FILE = "--properties-file";

    /** Pattern of the key of a setting that names a file, such as {@code hearth.authenticate.secret.file}. */
    private static final Pattern NAMES_A_FILE = Pattern.compile("(?i)(?:file|path)$");

    private final Path directory;
    private final Map<String, String> environment;
    private final List<SourceEntry> system = new ArrayList<>();
    private final List<SourceEntry> variables = new ArrayList<>();
    private final List<SourceEntry> sparkDefaults = new ArrayList<>();
    private final List<SourceEntry> defaults = new ArrayList<>();
    private final List<List<SourceEntry>> files = new ArrayList<>();
    private final List<SourceEntry> conf = new ArrayList<>();
    private final List<SourceEntry> flags = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /**
     * Starts without settings. Relative paths of properties files are resolved against {@code directory}; variables
     * come from {@code environment}.
     */
    public SettingsSources(Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = Map.copyOf(environment);
    }

    /** Adds the settings that environment variables, such as {@code HEARTH_MASTER}, define. */
    public SettingsSources environment() {
        variables.addAll(EnvironmentVariables.in(environment));
        return this;
    }

    /**
     * Adds the settings among the system {@code properties}: those whose names begin with {@code spark.}, as in {@code
     * -Dspark.x=y}. They rank lowest and have {@code origin}.
     */
    public SettingsSources properties(Properties properties, String origin) {
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(Settings.ALIAS_PREFIX)) {
                system.add(new SourceEntry(name, ValueTemplate.literal(properties.getProperty(name)), origin));
            }
        }
        return this;
    }

    /** Adds the defaults in a file of Spark's, which rank below those of the installation; the file must exist. */
    public SettingsSources sparkDefaults(Path file) {
        take(SettingsFile.read(file, file.toString()), sparkDefaults);
        return this;
    }

    /** Map from the names of the environment variables that define settings to the keys of these settings. */
    public static Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (EnvironmentVariables variable : EnvironmentVariables.values()) {
            variables.put(variable.hearthName(), variable.key());
            if (!variable.sparkName().isEmpty()) {
                variables.put(variable.sparkName(), variable.key());
            }
        }
        return variables;
    }

    /** Adds the defaults of an installation from {@code file}, if the file exists; messages call it {@code label}. */
    public SettingsSources defaults(Path file, String label) {
        if (Files.exists(file)) { // optional: the distribution contains only a template
            take(SettingsFile.read(file, label), defaults);
        }
        return this;
    }

    /**
     * Adds the properties file whose path is {@code text}; it overrides properties files added earlier. The file must
     * exist.
     */
    public SettingsSources propertiesFile(String text) {
        Path file = directory.resolve(text).toAbsolutePath().normalize();
        if (!Files.exists(file) || Files.isDirectory(file)) {
            throw ErrorCode.PATH_MISSING.failure(PROPERTIES_FILE + ": '" + text
                    + "': no such file (expected: a file of settings); looked for " + file);
        }
        List<SourceEntry> entries = new ArrayList<>();
        take(SettingsFile.read(file, text), entries);
        files.add(entries);
        return this;
    }

    /**
     * Adds a setting from the command line, {@code text} in the form {@code key=value}. Error messages quote {@code
     * flag}, the flag that precedes {@code text}, as the user wrote it.
     */
    public SettingsSources conf(String flag, String text) {
        int equals = text.indexOf('=');
        if (equals < 1 || text.substring(0, equals).isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure(flag + ": '" + Secrets.shown(text, text)
                    + "' (expected: key=value, for example hearth.executor.memory=2g)");
        }
        String key = text.substring(0, equals).strip();
        String value = text.substring(equals + 1).strip();
        warnOfSecret(key, value, "--conf");
        take(key, value, "--conf", conf);
        return this;
    }

    /**
     * Warns if {@code value}, an argument of the command line, is a secret itself. The name of a file that contains a
     * secret is none; nor is a reference to a setting or an environment variable.
     */
    private void warnOfSecret(String key, String value, String origin) {
        boolean secret = !NAMES_A_FILE.matcher(key).find()
                && Secrets.shown(key, value).equals(Secrets.HIDDEN)
                && ValueTemplate.parse(value, this::variable).hasWords();
        if (secret) {
            String name = Settings.keyOf(key);
            warnings.add("setting " + key + ": a secret in the arguments, which every user of the machine can read"
                    + " (expected: a secret in a file or in the environment); "
                    + EnvironmentVariables.of(name)
                            .map(known -> "use " + name + ".file or the variable " + known.hearthName())
                            .orElse("use --properties-file, or refer to a variable as in " + key + "=${env:NAME}")
                    + "; from " + origin);
        }
    }

    /**
     * Adds the setting {@code key} from {@code flag}, a command-line flag for this setting alone, such as {@code
     * --master}.
     */
    public SettingsSources flag(String flag, String key, String value) {
        warnOfSecret(key, value, flag);
        take(key, value, flag, flags);
        return this;
    }

    /**
     * Returns the settings {@code lower}, overridden by all settings added so far. Fails with {@code BAD_SETTING} if a
     * file contains malformed lines.
     */
    public Settings over(Settings lower) {
        if (!problems.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(String.join("\n  ", problems));
        }
        Settings settings =
                lower.with(system).with(variables).with(sparkDefaults).with(defaults);
        for (List<SourceEntry> file : files) {
            settings = settings.with(file);
        }
        return settings.with(conf).with(flags);
    }

    /**
     * A message for each key that was ignored because it begins with neither {@code hearth.} nor {@code spark.}, and
     * for each secret in the arguments.
     */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    private void take(SettingsFile file, List<SourceEntry> source) {
        problems.addAll(file.problems());
        file.lines().forEach(line -> take(line.key(), line.value(), line.origin(), source));
    }

    private void take(String key, String value, String origin, List<SourceEntry> source) {
        if (key.startsWith(Settings.PREFIX) || key.startsWith(Settings.ALIAS_PREFIX)) {
            source.add(new SourceEntry(key, ValueTemplate.parse(value, this::variable), origin));
        } else {
            warnings.add("setting " + key + ": ignored (expected: a key that begins with hearth.); from " + origin);
        }
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name));
    }
}
